// SPDX-License-Identifier: Apache-2.0
#include "operator/status/pod_problem.h"

#include "base/rfc3339.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace slurmop::status {
namespace {

constexpr std::size_t kMostMessage = 300;
constexpr std::string_view kCrashLoop = "CrashLoopBackOff";

std::string shortened(const std::string& text) {
  return text.size() <= kMostMessage ? text : text.substr(0, kMostMessage) + "...";
}

// Reasons that are a normal part of a start.
bool is_starting(std::string_view reason) {
  constexpr std::array<std::string_view, 2> kNormal = {"ContainerCreating", "PodInitializing"};
  return std::ranges::find(kNormal, reason) != kNormal.end();
}

const kube::ContainerStatus* waiting_container(const std::vector<kube::ContainerStatus>& all) {
  const auto found = std::ranges::find_if(all, [](const kube::ContainerStatus& status) {
    return status.state.waiting && !status.state.waiting->reason.empty() &&
           !is_starting(status.state.waiting->reason);
  });
  return found == all.end() ? nullptr : &*found;
}

const kube::ContainerStatus* waiting_container(const kube::ObservedPod& pod) {
  const auto* init = waiting_container(pod.status.initContainerStatuses);
  return init != nullptr ? init : waiting_container(pod.status.containerStatuses);
}

std::string of_container(const kube::ObservedPod& pod, const kube::ContainerStatus& container) {
  const auto& [reason, message] = *container.state.waiting;
  std::string text =
      fmt::format("pod {}: container {}: {}", pod.metadata.name, container.name, reason);
  if (reason == kCrashLoop) {
    if (const auto& last = container.lastState.terminated)
      text += fmt::format(" (exit code {})", last->exitCode);
    return text + fmt::format("; see kubectl logs --namespace {} {} --container {} --previous",
                              pod.metadata.namespace_,
                              pod.metadata.name,
                              container.name);
  }
  return message.empty() ? text : text + ": " + shortened(message);
}

}  // namespace

std::optional<std::string> problem_of(const kube::ObservedPod& pod) {
  if (const auto* container = waiting_container(pod)) return of_container(pod, *container);
  for (const kube::Condition& condition : pod.status.conditions) {
    if (condition.type == "PodScheduled" && condition.status == "False") {
      return fmt::format(
          "pod {} cannot be scheduled: {}",
          pod.metadata.name,
          shortened(condition.message.empty() ? condition.reason : condition.message));
    }
  }
  if (pod.status.phase == "Failed") {
    return fmt::format("pod {} failed: {} {}",
                       pod.metadata.name,
                       pod.status.reason,
                       shortened(pod.status.message));
  }
  return {};
}

bool is_stuck_in_crash_loop(const kube::ObservedPod& pod, base::WallTime now) {
  const auto* container = waiting_container(pod);
  if (container == nullptr || container->state.waiting->reason != kCrashLoop) return false;
  const auto& last = container->lastState.terminated;
  if (!last) return false;
  const auto ended = base::parse_rfc3339(last->finishedAt);
  return ended.ok() && now - *ended >= kCrashLoopPatience;
}

}  // namespace slurmop::status
