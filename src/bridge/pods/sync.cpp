// SPDX-License-Identifier: Apache-2.0
#include "bridge/pods/sync.h"

#include "workload/finalizers.h"

#include <fmt/format.h>

namespace bridge::pods {
namespace {

SyncStep release(const SyncFacts& facts) {
  if (!workload::has_bridge_finalizer(facts.pod.metadata)) return Keep{};
  if (!facts.named) return Release{std::nullopt};
  const std::optional<bool> live = state::job_is_live(facts.view);
  if (!live) return Keep{};  // no answer of Slurm yet
  if (!*live) return Release{std::nullopt};
  if (!facts.named_is_ours) return Keep{};
  return Release{*facts.named_is_ours ? facts.named : std::nullopt};
}

// A crash of slurmctld lost the job, and its id was issued to another job.
bool is_replaced(const SyncFacts& facts) {
  return facts.job_id_was_reused && facts.view != nullptr &&
         facts.view->knowledge == slurm::JobView::Knowledge::known;
}

std::optional<state::JobEnded> job_replaced(const SyncFacts& facts) {
  if (facts.accounted || !facts.around.absence_counts()) return facts.accounted;
  return state::JobEnded{
      *facts.named,
      fmt::format("Slurm lost job {}: that number is another job's now", *facts.named),
      state::JobEnded::By::absence,
      ""};
}

// Why the job does not hold the node of the bound pod any more, by a statement of Slurm.
std::optional<state::JobEnded> no_longer_holds(const SyncFacts& facts) {
  if (facts.view == nullptr) return std::nullopt;
  if (is_replaced(facts)) return job_replaced(facts);
  // Accounting shows how the job ended, absence only that it did.
  if (state::is_unknown_to_slurm(facts.view) && facts.accounted) return facts.accounted;
  if (const auto ended = job_ended(*facts.named, facts.view, facts.around)) return ended;
  if (state::is_unknown_to_slurm(facts.view)) return std::nullopt;
  if (has_moved(facts) && !facts.lost_node_for_good) return std::nullopt;
  return state::node_taken(*facts.named, *facts.view, facts.has_its_node.value_or(true));
}

}  // namespace

bool has_moved(const SyncFacts& facts) {
  if (!facts.pod.bound() || facts.view == nullptr) return false;
  if (facts.view->known(slurm::JobState::pending)) return true;
  return facts.is_only_pod && facts.view->placed() && !facts.has_its_node.value_or(true);
}

bool is_in_doubt(const SyncFacts& facts) {
  const kube::Pod& pod = facts.pod;
  if (!pod.bound() || pod.ended() || pod.metadata.deleting()) return false;
  const bool missing = state::is_unknown_to_slurm(facts.view) &&
                       facts.view->times_unknown >= state::kUnknownOftenEnough;
  return (missing || is_replaced(facts)) && !no_longer_holds(facts);
}

SyncStep next_sync_step(const SyncFacts& facts) {
  const kube::Pod& pod = facts.pod;
  const bool never_started = pod.metadata.deleting() && !pod.bound();
  if (pod.ended() || never_started) return release(facts);
  if (pod.metadata.deleting()) {
    // Otherwise the kubelet stops the pod and reports its end.
    return facts.node_is_dead && facts.node_is_drained ? release(facts) : SyncStep(Keep{});
  }
  if (!facts.named) return Keep{};

  const auto ended =
      pod.bound() ? no_longer_holds(facts) : job_ended(*facts.named, facts.view, facts.around);
  if (!ended) return Keep{};
  // The state of a job that was not submitted for this pod proves nothing about this pod.
  if (ended->by == state::JobEnded::By::state && !facts.named_is_ours.value_or(false))
    return Keep{};
  if (pod.bound()) return Remove{*ended};
  // Not bound yet: the scheduler submits a new job, unless this one was cancelled on purpose.
  if (facts.view->known(slurm::JobState::cancelled)) return Remove{*ended};
  return Keep{};
}

}  // namespace bridge::pods
