// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/causes.h"

#include "base/utf8.h"
#include "slurm/api/error_number.h"

#include <array>

namespace bridge::writes {
namespace {

constexpr std::array kCauses{
    CauseLine{Cause::bad_request,
              "InvalidRequest",
              Reaction::wait_for_a_change,
              true,
              "an annotation or amount of the pod or its owners is invalid"},
    CauseLine{Cause::refused,
              "RefusedBySlurm",
              Reaction::wait_for_a_change,
              true,
              "Slurm refuses the job: partition, account, QOS, GRES, limits"},
    CauseLine{Cause::no_node_fits,
              "NoNodeFits",
              Reaction::wait_for_a_change,
              true,
              "no node can ever take the pod: selector, affinity, taints, volumes, size"},
    CauseLine{
        Cause::waiting, "WaitingInSlurm", Reaction::wait, false, "the job waits for its turn"},
    CauseLine{Cause::volumes_missing,
              "VolumesNotReady",
              Reaction::retry,
              false,
              "a volume claim is missing, or has no volume yet"},
    CauseLine{Cause::node_unknown,
              "NodeUnknown",
              Reaction::hold,
              true,
              "Slurm chose a node that Kubernetes does not have"},
    CauseLine{Cause::node_cannot,
              "HeldForNode",
              Reaction::hold,
              false,
              "the chosen node is cordoned, not ready, or still occupied"},
    CauseLine{Cause::node_never,
              "NodeGivenBack",
              Reaction::submit_again,
              false,
              "the chosen node can never take the pod: another job without it"},
    CauseLine{Cause::volumes_pending,
              "VolumesNotReady",
              Reaction::hold,
              false,
              "the volumes are being made for the chosen node"},
    CauseLine{Cause::job_ended,
              "JobEnded",
              Reaction::submit_again,
              false,
              "the job failed, timed out or lost its node before the pod was bound"},
    CauseLine{Cause::job_not_ours,
              "JobEnded",
              Reaction::submit_again,
              false,
              "the pod's label names a job that was not made for it"},
    CauseLine{Cause::job_forgotten,
              "JobEnded",
              Reaction::submit_again,
              false,
              "Slurm does not know the job of a pod that was never bound"},
    CauseLine{Cause::job_cancelled,
              "JobCancelled",
              Reaction::remove_the_pod,
              false,
              "the job was cancelled before the pod was bound"},
    CauseLine{Cause::slurm_unreachable,
              "SlurmUnavailable",
              Reaction::retry,
              false,
              "Slurm does not answer, or refuses the token"},
    CauseLine{Cause::limit_reached,
              "NotYetTakenBySlurm",
              Reaction::retry,
              false,
              "Slurm takes no such job now: a limit on their number is reached, or it is closed"},
    CauseLine{Cause::owner_unreadable,
              "OwnerUnreadable",
              Reaction::retry,
              true,
              "an owner of the pod that affects its job cannot be read"},
    CauseLine{Cause::write_refused,
              "WriteRefused",
              Reaction::hold,
              true,
              "the API server refuses a write: a permission is missing, or a webhook denies it"},
    CauseLine{Cause::job_unconfirmed,
              "WaitingForBridge",
              Reaction::retry,
              false,
              "the bridge has no answer of Slurm about the job that is recent enough to go on"},
    CauseLine{Cause::unsupported,
              "NotSupported",
              Reaction::wait_for_a_change,
              true,
              "the pod asks for what the bridge does not support yet: DRA devices, required pod "
              "affinity, a group"},
};

}  // namespace

std::span<const CauseLine> causes() {
  return kCauses;
}

const CauseLine& line_of(Cause cause) {
  return kCauses[static_cast<std::size_t>(cause)];
}

std::string_view name(Reaction reaction) {
  switch (reaction) {
    case Reaction::wait: return "wait";
    case Reaction::wait_for_a_change: return "wait for a change";
    case Reaction::retry: return "retry";
    case Reaction::hold: return "hold, then submit again";
    case Reaction::submit_again: return "cancel and submit again";
    case Reaction::remove_the_pod: return "remove the pod";
  }
  return "";
}

Explanation explain(Cause cause, std::string message) {
  constexpr std::string_view kCutOff = "...";
  if (message.size() > kMostMessageBytes) {
    message.resize(base::utf8_front(message, kMostMessageBytes - kCutOff.size()).size());
    message += kCutOff;
  }
  return {cause, std::move(message)};
}

Cause cause_of_failed_submit(const base::Error& error) {
  using base::Kind;
  if (error.is(Kind::refused) || error.is(Kind::invalid)) return Cause::refused;
  const bool verdict = slurm::is_slurmctlds_verdict(error.code());
  return error.is(Kind::unavailable) && verdict ? Cause::limit_reached : Cause::slurm_unreachable;
}

bool is_refusal(const Explanation& explanation) {
  return line_of(explanation.cause).is_refusal;
}

bool is_hold(const Explanation& explanation) {
  return line_of(explanation.cause).reaction == Reaction::hold;
}

}  // namespace bridge::writes
