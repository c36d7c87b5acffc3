// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/cordon.h"

#include "workload/wellknown.h"

#include <algorithm>

namespace bridge::nodes {
namespace {

// The manager under which the API server merges the oldest entries when there are many.
constexpr std::string_view kAnybody = "ancient-changes";

bool set_by_others(const kube::Node& node) {
  return std::ranges::any_of(node.cordoned_by, [](const std::string& who) {
    return who != kFieldManager && who != kAnybody;
  });
}

const std::string* annotation(const kube::Node& node, const std::string& key) {
  const auto found = node.metadata.annotations.find(key);
  return found == node.metadata.annotations.end() ? nullptr : &found->second;
}

}  // namespace

Cordoned cordoned(const kube::Node& node) {
  if (!node.spec.unschedulable) return Cordoned::no;
  const bool noted = annotation(node, workload::kDrainReason) != nullptr && !noted_as_lifted(node);
  return noted && !set_by_others(node) ? Cordoned::by_us : Cordoned::by_others;
}

const std::string* noted_reason(const kube::Node& node) {
  const std::string* lifted = annotation(node, workload::kCordonLifted);
  return lifted != nullptr ? lifted : annotation(node, workload::kDrainReason);
}

bool noted_as_lifted(const kube::Node& node) {
  return annotation(node, workload::kCordonLifted) != nullptr;
}

}  // namespace bridge::nodes
