// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/object.h"

#include <cstdint>
#include <map>
#include <string>

// Builders for the objects that run pods, and for their claims and disruption budgets.
namespace slurmop::objects {

struct PodTemplate {
  Labels labels;  // contains the selector
  std::map<std::string, std::string> annotations = {};
  json::Object spec;  // from pod_spec
};

struct StatefulSet {
  Meta meta;
  Labels selector;
  std::string service;  // headless or not; it gives the pods their names
  std::int64_t replicas = 1;
  PodTemplate pods;
  json::Array claim_templates = {};  // from claim_template
};
// All pods are started at once. Claims are kept when the set is scaled or deleted: they hold data.
json::Object stateful_set(const StatefulSet& set);

enum class Rollout {
  recreate,  // no two pods at the same time
  rolling,   // the new pod is ready before the old one is deleted
};
struct Deployment {
  Meta meta;
  Labels selector;
  std::int64_t replicas = 1;
  Rollout rollout = Rollout::rolling;
  PodTemplate pods;
};
json::Object deployment(const Deployment& deployment);

// `spec` is that of a PersistentVolumeClaim, as in a resource; see passed_on().
json::Object claim(const Meta& meta, const json::Value& spec);
// An element of volumeClaimTemplates; the claims are named "<name>-<pod>".
json::Object claim_template(std::string name, const Labels& labels, const json::Value& spec);
// The spec of a claim for one node at a time with the default StorageClass.
json::Object claim_spec(std::string size);

// At most `max_unavailable` of the selected pods are evicted at the same time.
json::Object disruption_budget(const Meta& meta,
                               const Labels& selector,
                               std::int64_t max_unavailable);

}  // namespace slurmop::objects
