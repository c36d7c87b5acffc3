// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/workload.h"

#include "operator/objects/members.h"
#include "operator/objects/passed_on.h"

#include <utility>

namespace slurmop::objects {
namespace {

json::Object match_labels(const Labels& selector) {
  return {{"matchLabels", string_map(selector)}};
}

json::Object pod_template(const PodTemplate& pods) {
  json::Object metadata{{"labels", string_map(pods.labels)}};
  set_unless_empty(metadata, "annotations", string_map(pods.annotations));
  return {{"metadata", std::move(metadata)}, {"spec", pods.spec}};
}

json::Object with_spec(json::Object object, json::Object spec) {
  object.set("spec", std::move(spec));
  return object;
}

}  // namespace

json::Object stateful_set(const StatefulSet& set) {
  json::Object spec{{"replicas", set.replicas},
                    {"serviceName", set.service},
                    {"podManagementPolicy", "Parallel"},
                    {"updateStrategy", json::Object{{"type", "RollingUpdate"}}},
                    {"selector", match_labels(set.selector)},
                    {"template", pod_template(set.pods)}};
  if (!set.claim_templates.empty()) {
    spec.set("volumeClaimTemplates", set.claim_templates);
    spec.set("persistentVolumeClaimRetentionPolicy",
             json::Object{{"whenDeleted", "Retain"}, {"whenScaled", "Retain"}});
  }
  return with_spec(object(kube::kStatefulSets, set.meta), std::move(spec));
}

json::Object deployment(const Deployment& deployment) {
  const bool is_rolling = deployment.rollout == Rollout::rolling;
  json::Object spec{{"replicas", deployment.replicas},
                    {"strategy", json::Object{{"type", is_rolling ? "RollingUpdate" : "Recreate"}}},
                    {"selector", match_labels(deployment.selector)},
                    {"template", pod_template(deployment.pods)}};
  return with_spec(object(kube::kDeployments, deployment.meta), std::move(spec));
}

json::Object claim(const Meta& meta, const json::Value& spec) {
  json::Object whole = object(kube::kClaims, meta);
  whole.set("spec", passed_on(spec));
  return whole;
}

json::Object claim_template(std::string name, const Labels& labels, const json::Value& spec) {
  return {{"metadata", json::Object{{"name", std::move(name)}, {"labels", string_map(labels)}}},
          {"spec", passed_on(spec)}};
}

json::Object claim_spec(std::string size) {
  json::Object requests{{"storage", std::move(size)}};
  return {{"accessModes", json::Array{"ReadWriteOnce"}},
          {"resources", json::Object{{"requests", std::move(requests)}}}};
}

json::Object disruption_budget(const Meta& meta,
                               const Labels& selector,
                               std::int64_t max_unavailable) {
  return with_spec(object(kube::kPodDisruptionBudgets, meta),
                   {{"maxUnavailable", max_unavailable}, {"selector", match_labels(selector)}});
}

}  // namespace slurmop::objects
