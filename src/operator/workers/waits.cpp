// SPDX-License-Identifier: Apache-2.0
#include "operator/workers/waits.h"

#include "base/quote.h"
#include "base/rfc3339.h"
#include "operator/workers/out_of_service.h"
#include "operator/workers/retire.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::workers {
namespace {

using std::chrono::seconds;

// A pod that is still there this long after its grace period is on a node that is lost.
constexpr auto kOverdue = seconds(30);
// A registration changes the start time of slurmd, which is not reported as a change of the node.
constexpr auto kRegistrationPoll = seconds(2);
constexpr auto kSlowRegistrationPoll = seconds(10);
constexpr std::size_t kMostText = 200;

bool is_overdue(const Worker& worker, const WorkerFacts& facts) {
  const auto due = base::parse_rfc3339(*worker.pod->metadata.deletionTimestamp);
  return due.ok() && facts.now - *due > kOverdue;
}

bool is_late(const Worker& worker, const WorkerFacts& facts) {
  return facts.now - waits_since(worker, facts.now) > kRegisterTime;
}

const kube::ContainerStateWaiting* waiting_container(const kube::ObservedPodStatus& status) {
  for (const auto* list : {&status.initContainerStatuses, &status.containerStatuses}) {
    for (const kube::ContainerStatus& container : *list) {
      const auto& waiting = container.state.waiting;
      if (waiting && waiting->reason != "PodInitializing") return &*waiting;
    }
  }
  return nullptr;
}

// Why the pod does not run: "Unschedulable: 0/3 nodes are available", "ImagePullBackOff". The message
// of a container is left out: it contains a growing back-off time.
std::string cause(const Worker& worker) {
  const kube::ObservedPodStatus& status = worker.pod->status;
  const auto unscheduled = std::ranges::find_if(status.conditions, [](const kube::Condition& c) {
    return c.type == "PodScheduled" && c.status == "False";
  });
  if (unscheduled != status.conditions.end()) {
    return fmt::format("{}: {}", unscheduled->reason, base::cut(unscheduled->message, kMostText));
  }
  if (const auto* waiting = waiting_container(status)) return waiting->reason;
  return pod_state(worker) == PodState::running ? "its slurmd runs" : "its pod has not started";
}

std::string jobs_text(const Worker& worker, const WorkerFacts& facts) {
  if (!known_slurm(facts)->jobs || worker.jobs.empty()) return "runs jobs";
  if (worker.jobs.size() == 1) return fmt::format("runs job {}", worker.jobs.front()->id);
  return fmt::format("runs {} jobs", worker.jobs.size());
}

std::string out_by_others(const Worker& worker) {
  const slurm::Node& node = *worker.node;
  return fmt::format("{} is {} by {}: {}",
                     worker.name,
                     node.draining() ? "drained" : "set down",
                     node.reason_set_by.empty() ? "others" : node.reason_set_by,
                     base::quoted(node.reason, kMostText));
}

std::string on_node(const Worker& worker) {
  const std::string& node = worker.pod->spec.nodeName;
  return node.empty() ? "" : fmt::format(" (Kubernetes node {})", node);
}

}  // namespace

// A node is NOT_RESPONDING without a boot time for less than a second after UNDRAIN and RESUME, until
// slurmctld has asked its slurmd: that is not reported.
std::optional<std::string> wait_of(const Worker& worker, const WorkerFacts& facts) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::none || pod == PodState::ended) return std::nullopt;
  if (pod == PodState::leaving) {
    if (!is_overdue(worker, facts)) return std::nullopt;
    return fmt::format(
        "{} is being deleted, and its kubelet does not confirm it{}", worker.name, on_node(worker));
  }
  if (known_slurm(facts) == nullptr) return std::nullopt;
  if (worker.node != nullptr) {
    if (out_of_service(*worker.node) == OutOfService::by_others) return out_by_others(worker);
    if (worker.role == Role::leaving && drained_by_us(*worker.node) && is_busy(worker))
      return fmt::format("{} is drained and {}", worker.name, jobs_text(worker, facts));
  }
  if (!is_registered(worker) && is_late(worker, facts))
    return fmt::format("{} is not registered with Slurm: {}", worker.name, cause(worker));
  if (worker.node != nullptr && worker.node->not_responding() && worker.node->boot_time != 0)
    return fmt::format("{} does not respond to Slurm{}", worker.name, on_node(worker));
  return std::nullopt;
}

std::optional<seconds> look_again(const Worker& worker, const WorkerFacts& facts) {
  const PodState pod = pod_state(worker);
  if (pod == PodState::leaving)
    return is_overdue(worker, facts) ? std::nullopt : std::optional(kOverdue);
  if (pod != PodState::waiting && pod != PodState::running) return std::nullopt;
  if (known_slurm(facts) == nullptr) return std::nullopt;
  if (const auto left = drain_time_left(worker, facts); left && is_busy(worker))
    return std::max(std::chrono::ceil<seconds>(*left), seconds(1));
  if (is_registered(worker)) return std::nullopt;
  if (pod == PodState::running)
    return is_late(worker, facts) ? kSlowRegistrationPoll : kRegistrationPoll;
  if (is_late(worker, facts)) return std::nullopt;
  const auto waited = facts.now - waits_since(worker, facts.now);
  return std::chrono::ceil<seconds>(kRegisterTime - waited) + seconds(1);
}

}  // namespace slurmop::workers
