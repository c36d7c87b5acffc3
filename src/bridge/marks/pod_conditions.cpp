// SPDX-License-Identifier: Apache-2.0
#include "bridge/marks/pod_conditions.h"

#include "workload/wellknown.h"

#include <algorithm>

namespace bridge::marks {

const kube::Condition* condition_of(const kube::Pod& pod, std::string_view type) {
  const auto found = std::ranges::find(pod.status.conditions, type, &kube::Condition::type);
  return found == pod.status.conditions.end() ? nullptr : &*found;
}

std::string_view status_of(const kube::Pod& pod, std::string_view type) {
  const kube::Condition* found = condition_of(pod, type);
  return found == nullptr ? std::string_view() : found->status;
}

bool shows_loss(const kube::Pod& pod) {
  const kube::Condition* shown = condition_of(pod, workload::kJobKnownCondition);
  return shown != nullptr && shown->status == "False" && shown->reason == kLostReason;
}

}  // namespace bridge::marks
