// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/decision.h"

#include "bridge/marks/named_job.h"
#include "bridge/scheduling/timing.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::scheduling {
namespace {

Decision wait() {
  return {Nothing{}, std::nullopt};
}
Decision wait_because(writes::Cause cause, std::string message) {
  return {Nothing{}, explain(cause, std::move(message))};
}

base::Duration unknown_for(const slurm::JobView& view) {
  return view.as_of - view.unknown_since;
}

bool begins_to_explain(const kube::Pod& pod, const std::string& text) {
  return std::ranges::any_of(pod.status.conditions, [&](const kube::Condition& condition) {
    return condition.type == "PodScheduled" && condition.status == "False" &&
           condition.message.starts_with(text);
  });
}

// The job to label the pod with, without a submit.
std::optional<slurm::JobId> existing_job(const PodFacts& facts) {
  if (facts.made) return facts.made;
  // Of several jobs for the pod the oldest is adopted, so the scan must cover all of them.
  return facts.nothing_overlooked ? facts.found : std::nullopt;
}

Decision without_a_job(const PodFacts& facts) {
  if (const auto job = existing_job(facts)) {
    if (facts.write_refused_past_hold && facts.unlabelled_job_runs)
      return {ReleaseUnlabelled{*job, *facts.write_refused_past_hold}, std::nullopt};
    return {Label{*job}, std::nullopt};
  }
  if (facts.unsupported) return wait_because(writes::Cause::unsupported, *facts.unsupported);
  if (!facts.request->ok())
    return wait_because(writes::Cause::bad_request, facts.request->error().message());
  if (facts.refusal)
    return wait_because(writes::cause_of_failed_submit(*facts.refusal), facts.refusal->message());
  if (!facts.nothing_overlooked) return {LookForJob{}, std::nullopt};
  if (facts.submit_blocker) return {Nothing{}, facts.submit_blocker};
  if (facts.prepared == nullptr) return {PrepareSubmit{facts.request->value()}, std::nullopt};
  return {Submit{*facts.prepared}, std::nullopt};
}

// The node of the job for this pod; the first node of the job if the pod's node is not known.
const slurm::SlurmNodeName& chosen_node(const PodFacts& facts) {
  return facts.slurm_node ? *facts.slurm_node : facts.view->nodes.front();
}

// Holds the pod, at most for `holdSeconds`: other jobs could use the resources of this job.
Decision hold(const PodFacts& facts, writes::Explanation why) {
  if (!facts.held_long_enough) return {Nothing{}, std::move(why)};
  return {ReleaseAndResubmit{*facts.named, chosen_node(facts), why.message}, std::nullopt};
}

// The job stands for several pods and has fewer nodes than pods.
Decision without_a_place(const PodFacts& facts) {
  std::string message = fmt::format(
      "Slurm job {} has no node for this pod: other pods of the job have all {} of its nodes.",
      *facts.named,
      facts.view->nodes.size());
  if (!facts.held_long_enough) return wait_because(writes::Cause::node_cannot, std::move(message));
  // The cause is not the node: the next job does not exclude it.
  return {ReleaseAndResubmit{
              *facts.named, chosen_node(facts), std::move(message), writes::Cause::node_cannot},
          std::nullopt};
}

// Empty when the volumes allow the bind.
std::optional<Decision> for_its_volumes(const PodFacts& facts) {
  const VolumeReadiness& volumes = *facts.volumes;
  if (volumes.never)
    return Decision{ReleaseAndResubmit{*facts.named, chosen_node(facts), *volumes.never},
                    std::nullopt};
  const auto& why = volumes.in_use ? volumes.in_use : volumes.pending;
  if (!why) return std::nullopt;
  if (!facts.held_long_enough) return wait_because(writes::Cause::volumes_pending, *why);
  // A claim that another pod uses is not a reason to exclude the node.
  const auto cause = volumes.in_use ? writes::Cause::volumes_missing : writes::Cause::node_never;
  return Decision{ReleaseAndResubmit{*facts.named, chosen_node(facts), *why, cause}, std::nullopt};
}

Decision with_a_running_job(const PodFacts& facts) {
  if (facts.bind_accepted) return wait();
  if (facts.view->nodes.empty()) return {AwaitAnswer{}, std::nullopt};
  if (facts.no_place_left) return without_a_place(facts);
  if (!facts.node) {
    return hold(
        facts,
        explain(writes::Cause::node_unknown,
                fmt::format("Slurm job {} runs on node {}, which Kubernetes does not have. Label "
                            "the Kubernetes node with {}={} if it has another name there.",
                            *facts.named,
                            facts.view->nodes.front(),
                            workload::kSlurmNodeNameLabel,
                            facts.view->nodes.front())));
  }
  if (facts.node_never)
    return {ReleaseAndResubmit{*facts.named, chosen_node(facts), *facts.node_never}, std::nullopt};
  if (facts.write_refused_past_hold) {
    return {ReleaseAndResubmit{*facts.named,
                               chosen_node(facts),
                               *facts.write_refused_past_hold,
                               writes::Cause::write_refused},
            std::nullopt};
  }
  if (!facts.pod.metadata.has_finalizer(workload::kFinalizer))
    return {Label{*facts.named}, std::nullopt};
  if (facts.node_not_now) return hold(facts, *facts.node_not_now);
  if (!facts.view_is_fresh) return {AwaitAnswer{}, std::nullopt};
  if (facts.has_claims && !facts.volumes)
    return {PrepareVolumes{*facts.named, *facts.node}, std::nullopt};
  if (facts.has_claims) {
    if (auto waits = for_its_volumes(facts)) return *std::move(waits);
  }
  return {Bind{*facts.named, *facts.node}, std::nullopt};
}

Decision with_a_job(const PodFacts& facts) {
  // Slurm purges old jobs, and the identity of a purged job cannot be read any more. A new job is
  // safe then.
  if (!facts.named_is_ours && !state::is_unknown_to_slurm(facts.view))
    return {AwaitAnswer{}, std::nullopt};
  if (facts.named_is_ours && !*facts.named_is_ours) {
    // A user wrote the label, or slurmctld crashed and assigned the id to another job.
    return {StartOver{fmt::format("Slurm job {} was not made for this pod", *facts.named),
                      writes::Cause::job_not_ours},
            std::nullopt};
  }
  if (const auto ended = job_ended(*facts.named, facts.view, facts.around)) {
    // A cancelled job is not replaced: the controllers role deletes the pod (pods/sync.cpp). The
    // explanation is for a pod that stays because that role does not run. Any other end of a job
    // before the bind is a reason for a new job.
    if (facts.view->known(slurm::JobState::cancelled)) {
      return wait_because(
          writes::Cause::job_cancelled,
          fmt::format("{}; the bridge's controllers delete the pod.", ended->statement));
    }
    // A suspended job may be resumed; a second job would be a surplus job.
    if (facts.view->known(slurm::JobState::suspended)) {
      return wait_because(writes::Cause::waiting,
                          fmt::format("Slurm has suspended job {} before the pod was bound; it "
                                      "continues when it is resumed.",
                                      *facts.named));
    }
    return {StartOver{ended->statement}, std::nullopt};
  }
  if (facts.view == nullptr) return wait();
  if (facts.view->knowledge == slurm::JobView::Knowledge::unasked)
    return {AwaitAnswer{}, std::nullopt};
  // The pod is not running, so a new job loses no work: no further proof that the job ended is
  // required.
  if (state::is_unknown_to_slurm(facts.view) && unknown_for(*facts.view) >= kUnknownLongEnough) {
    return {StartOver{fmt::format("Slurm does not know job {}", *facts.named),
                      writes::Cause::job_forgotten},
            std::nullopt};
  }
  if (facts.view->known(slurm::JobState::running)) return with_a_running_job(facts);
  if (!facts.view->known(slurm::JobState::pending)) return wait();
  const std::string waits = fmt::format("Waiting in Slurm (job {})", *facts.named);
  if (!facts.waiting_reason.empty())
    return wait_because(writes::Cause::waiting,
                        fmt::format("{}: {}.", waits, facts.waiting_reason));
  // Keep the explanation of a previous process: it contains a reason.
  if (begins_to_explain(facts.pod, waits)) return wait();
  return wait_because(writes::Cause::waiting, waits + ".");
}

// Slurm lost the job of a running pod, and the pod's annotation requests a new job on its node.
bool is_to_be_reserved_again(const PodFacts& facts) {
  const bool lost =
      facts.job_id_was_reused || (state::is_unknown_to_slurm(facts.view) &&
                                  facts.view->times_unknown >= state::kUnknownOftenEnough);
  return facts.pod.bound() && facts.own_node && facts.named &&
         marks::asks_to_reserve_again(facts.pod) && lost;
}

// A bound pod needs a step only if its label was removed or Slurm lost its job.
Decision while_bound(const PodFacts& facts) {
  if (!facts.named) {  // the label was removed
    if (facts.found && facts.nothing_overlooked) return {Label{*facts.found}, std::nullopt};
    return wait();
  }
  if (!is_to_be_reserved_again(facts) || !facts.request->ok()) return wait();
  if (facts.made) return {Label{*facts.made}, std::nullopt};
  if (facts.refusal || facts.submit_blocker) return wait();
  if (!facts.nothing_overlooked) return {LookForJob{}, std::nullopt};
  slurm::JobRequest request = facts.request->value();
  request.excluded_nodes.clear();
  request.required_nodes = {*facts.own_node};
  if (facts.prepared == nullptr) return {PrepareSubmit{std::move(request)}, std::nullopt};
  return {Submit{*facts.prepared}, std::nullopt};
}

}  // namespace

Decision next_scheduling_step(const PodFacts& facts) {
  const kube::Pod& pod = facts.pod;
  // First, in every state of the pod: the pod has another job, perhaps from another leader, and may
  // be bound under that job already.
  if (facts.made && facts.named && *facts.made != *facts.named && !is_to_be_reserved_again(facts))
    return {CancelOwn{*facts.made}, std::nullopt};
  if (facts.returned) return {CancelOwn{*facts.returned}, std::nullopt};
  if (pod.ended() || pod.metadata.deleting()) return wait();
  if (pod.bound()) return while_bound(facts);
  if (!pod.spec.schedulingGates.empty()) return wait();
  return facts.named ? with_a_job(facts) : without_a_job(facts);
}

}  // namespace bridge::scheduling
