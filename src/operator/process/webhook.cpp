// SPDX-License-Identifier: Apache-2.0
#include "operator/process/webhook.h"

#include "json/pointer.h"
#include "operator/api/validate.h"
#include "operator/process/gather.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slurmop::process {
namespace {

using base::Result;
using kube::AdmissionVerdict;
using kube::DynamicObject;

constexpr int kInvalid = 422;

std::string text_at(const json::Value& object, const json::Pointer& place) {
  const json::Value* value = json::find(object, place);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

// A new object has neither uid nor time, and may have no namespace in its metadata.
DynamicObject described(const json::Value& content) {
  DynamicObject object;
  object.metadata.name = text_at(content, {"metadata", "name"});
  object.metadata.namespace_ = text_at(content, {"metadata", "namespace"});
  object.metadata.creationTimestamp = text_at(content, {"metadata", "creationTimestamp"});
  object.content = content;
  return object;
}

AdmissionVerdict verdict(const api::Findings& findings) {
  if (!findings.ok()) {
    std::vector<std::string> lines;
    for (const api::FieldError& error : findings.errors) lines.push_back(error.to_string());
    return kube::denied(kInvalid, fmt::format("{}", fmt::join(lines, "\n")));
  }
  AdmissionVerdict allowed = kube::allowed();
  for (const std::string& field : findings.accepted)
    allowed.warnings.push_back(field + ": accepted, without effect in this version");
  return allowed;
}

std::vector<json::Value> contents(const std::vector<Stores::ObjectPointer>& objects) {
  std::vector<json::Value> result;
  for (const auto& object : objects) result.push_back(object->content);
  return result;
}

// The findings that settle() reports about this NodeSet of the cluster.
api::Findings findings_in_cluster(const Stores& stores,
                                  const settle::Defaults& defaults,
                                  const DynamicObject& cluster,
                                  const DynamicObject& set) {
  std::vector<json::Value> sets;
  for (const auto& other : stores.node_sets_of(cluster.metadata.key())) {
    if (other->metadata.name != set.metadata.name) sets.push_back(other->content);
  }
  sets.push_back(set.content);
  api::Findings all =
      settle::settle(cluster.content, sets, recorded_of(stores, cluster), defaults).findings;
  const std::string prefix = fmt::format("NodeSet {}: ", set.metadata.name);
  std::erase_if(all.errors,
                [&](const api::FieldError& error) { return !error.field.starts_with(prefix); });
  std::erase_if(all.accepted, [&](const std::string& field) { return !field.starts_with(prefix); });
  return all;
}

bool changes_spec(const kube::AdmissionRequest& request) {
  if (!request.object || !request.old_object) return true;
  const auto now = request.object->find("spec");
  const auto before = request.old_object->find("spec");
  return !now || !before || now->to_value() != before->to_value();
}

kube::CertificateKeeperOptions certificate_options(const WebhookOptions& options) {
  kube::CertificateKeeperOptions certificates;
  certificates.secret = options.secret;
  certificates.policy.name = "slurm-operator webhook";
  certificates.policy.dns_names = {fmt::format("{}.{}.svc", options.service, options.secret.ns)};
  certificates.clients = {{kube::kValidatingWebhookConfigurations, options.configuration}};
  return certificates;
}

}  // namespace

AdmissionVerdict judge_cluster(const Stores& stores,
                               const settle::Defaults& defaults,
                               const json::Value& content) {
  const DynamicObject cluster = described(content);
  const auto sets = contents(stores.node_sets_of(cluster.metadata.key()));
  return verdict(settle::settle(content, sets, recorded_of(stores, cluster), defaults).findings);
}

AdmissionVerdict judge_node_set(const Stores& stores,
                                const settle::Defaults& defaults,
                                const json::Value& content) {
  const api::Findings alone = api::validate_node_set(content);
  const DynamicObject set = described(content);
  const Stores::Keys keys = stores.cluster_of_node_set(set);
  const auto cluster = keys.empty() ? nullptr : stores.clusters().find(keys.front());
  if (!alone.ok() || !cluster) return verdict(alone);
  api::Findings together = findings_in_cluster(stores, defaults, *cluster, set);
  together.accepted = alone.accepted;
  return verdict(together);
}

Webhook::Webhook(const kube::Access& access,
                 const Stores& stores,
                 settle::Defaults defaults,
                 WebhookOptions options)
    : stores_(stores),
      defaults_(std::move(defaults)),
      certificates_(access, certificate_options(options)),
      server_(access.loop,
              kube::admission_handler({{kClusterPath, handler(judge_cluster)},
                                       {kNodeSetPath, handler(judge_node_set)}}),
              {options.address, certificates_.source()},
              access.log) {}

kube::AdmissionHandler Webhook::handler(Judge judge) {
  return [this, judge](kube::AdmissionRequest request) -> net::Task<AdmissionVerdict> {
    if (!request.object || !request.subresource.empty() || !changes_spec(request))
      co_return kube::allowed();
    json::Value object = request.object->to_value();
    if (json::Value* metadata = json::find(object, {"metadata"});
        metadata != nullptr && metadata->as_object() != nullptr) {
      metadata->as_object()->set("namespace", request.ns);
    }
    co_return judge(stores_, defaults_, object);
  };
}

void Webhook::add_to(kube::Runner& runner) {
  runner.add_everywhere("webhook", [this] { return server_.run(); });
  runner.add_everywhere("certificates", [this] { return certificates_.follow(); });
  runner.add_leading("certificate renewal", [this] { return certificates_.maintain(); });
  runner.health().add("webhook", [this] { return server_.ready(); });
}

}  // namespace slurmop::process
