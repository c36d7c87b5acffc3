// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/placement_key.h"

#include "kube/api/amounts.h"
#include "workload/pod_resources.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace bridge::scheduling {
namespace {

// Writes every value with its length, so that different requests have different texts.
class Writer {
 public:
  void text(std::string_view value) {
    fmt::format_to(std::back_inserter(out_), "{}:{}", value.size(), value);
  }
  void number(std::int64_t value) { fmt::format_to(std::back_inserter(out_), "{};", value); }
  template <class List, class Each>
  void list(const List& values, Each each) {
    number(std::ssize(values));
    for (const auto& value : values) each(value);
  }
  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

void write(Writer& out, const std::vector<kube::NodeSelectorRequirement>& all) {
  out.list(all, [&](const kube::NodeSelectorRequirement& one) {
    out.text(one.key);
    out.text(one.operator_);
    out.list(one.values, [&](const std::string& value) { out.text(value); });
  });
}

void write(Writer& out, const kube::NodeSelector& selector) {
  out.list(selector.nodeSelectorTerms, [&](const kube::NodeSelectorTerm& term) {
    write(out, term.matchExpressions);
    write(out, term.matchFields);
  });
}

const kube::NodeSelector* required_affinity(const kube::PodSpec& spec) {
  if (!spec.affinity || !spec.affinity->nodeAffinity) return nullptr;
  const auto& required =
      spec.affinity->nodeAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  return required ? &*required : nullptr;
}

void write(Writer& out, const kube::PodSpec& spec) {
  out.text(spec.schedulerName);
  out.list(spec.nodeSelector, [&](const auto& entry) {
    out.text(entry.first);
    out.text(entry.second);
  });
  const kube::NodeSelector* affinity = required_affinity(spec);
  out.number(affinity == nullptr ? 0 : 1);
  if (affinity != nullptr) write(out, *affinity);
  out.list(spec.tolerations, [&](const kube::Toleration& one) {
    for (const std::string* part : {&one.key, &one.operator_, &one.value, &one.effect})
      out.text(*part);
  });
}

void write(Writer& out, const kube::Amounts& requests) {
  requests.each([&](std::string_view name, std::int64_t amount) {
    out.text(name);
    out.number(amount);
  });
}

}  // namespace

PlacementKey placement_key(const PlacementRequest& request) {
  Writer out;
  out.text(request.partition);
  write(out, request.pod->spec);
  out.list(request.volumes.places, [&](const workload::VolumePlace& place) {
    out.text(place.volume);
    write(out, place.nodes);
  });
  out.list(request.avoid, [&](const slurm::SlurmNodeName& name) { out.text(name.value()); });
  if (const auto requests = workload::pod_requests(*request.pod); requests.ok())
    write(out, kube::Amounts(*requests));
  return {std::move(out).take()};
}

}  // namespace bridge::scheduling
