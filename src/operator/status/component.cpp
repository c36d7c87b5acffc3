// SPDX-License-Identifier: Apache-2.0
#include "operator/status/component.h"

#include "operator/status/pod_problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::status {
namespace {

// The problem of the first pod by name that has one, so that the message does not alternate.
std::optional<std::string> first_problem(std::vector<kube::ObservedPod> pods) {
  std::ranges::sort(pods, {}, [](const kube::ObservedPod& pod) { return pod.metadata.name; });
  for (const kube::ObservedPod& pod : pods) {
    if (auto problem = problem_of(pod)) return problem;
  }
  return {};
}

}  // namespace

kube::Condition condition_of(const Component& component) {
  kube::Condition condition{component.condition, "False", "NotAvailable", ""};
  if (!component.rollout) {
    condition.reason = "Creating";
    condition.message = fmt::format("{} is being created", component.object);
    return condition;
  }
  const Rollout& rollout = *component.rollout;
  if (rollout.ready >= rollout.desired) {
    condition.status = "True";
    condition.reason = rollout.current ? "Available" : "Updating";
    condition.message = fmt::format(
        "{}: {} of {} pods are ready", component.object, rollout.ready, rollout.desired);
    return condition;
  }
  condition.message =
      fmt::format("{}: {} of {} pods are ready", component.object, rollout.ready, rollout.desired);
  if (const auto problem = first_problem(component.pods)) condition.message += "; " + *problem;
  return condition;
}

kube::Condition disabled(std::string condition, std::string field) {
  return {std::move(condition), "False", "Disabled", fmt::format("{} is false", field)};
}

}  // namespace slurmop::status
