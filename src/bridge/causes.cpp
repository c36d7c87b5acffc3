// SPDX-License-Identifier: Apache-2.0
#include "bridge/causes.h"

#include <algorithm>
#include <array>

namespace bridge {
namespace {

constexpr std::array kCauses{
    CauseLine{Cause::bad_request,
              "InvalidRequest",
              Then::wait_for_a_change,
              true,
              "an annotation or amount of the pod or its owners cannot be meant"},
    CauseLine{Cause::refused,
              "RefusedBySlurm",
              Then::wait_for_a_change,
              true,
              "Slurm refuses the job: partition, account, QOS, GRES, limits"},
    CauseLine{Cause::no_node_fits,
              "NoNodeFits",
              Then::wait_for_a_change,
              true,
              "no node can ever take the pod: selector, affinity, taints, volumes, size"},
    CauseLine{Cause::waiting, "WaitingInSlurm", Then::wait, false, "the job waits for its turn"},
    CauseLine{Cause::volumes_missing,
              "VolumesNotReady",
              Then::retry,
              false,
              "a volume claim is missing, or has no volume yet"},
    CauseLine{Cause::node_unknown,
              "NodeUnknown",
              Then::hold,
              true,
              "Slurm chose a node that Kubernetes does not have"},
    CauseLine{Cause::node_cannot,
              "HeldForNode",
              Then::hold,
              false,
              "the chosen node is cordoned, not ready, or still occupied"},
    CauseLine{Cause::node_never,
              "",
              Then::submit_again,
              false,
              "the chosen node can never take the pod: another job without it"},
    CauseLine{Cause::volumes_pending,
              "VolumesNotReady",
              Then::hold,
              false,
              "the volumes are being made for the chosen node"},
    CauseLine{Cause::job_ended,
              "",
              Then::submit_again,
              false,
              "the job failed, timed out or lost its node before the pod was bound"},
    CauseLine{Cause::job_not_ours,
              "",
              Then::submit_again,
              false,
              "the pod's label names a job that was not made for it"},
    CauseLine{Cause::job_forgotten,
              "",
              Then::submit_again,
              false,
              "Slurm does not know the job of a pod that was never bound"},
    CauseLine{Cause::job_cancelled,
              "",
              Then::remove_the_pod,
              false,
              "somebody cancelled the job: whoever cancels does not want it back"},
    CauseLine{Cause::write_failed,
              "",
              Then::retry,
              false,
              "the API server did not take a write, or its answer was lost"},
    CauseLine{Cause::slurm_away,
              "",
              Then::retry,
              false,
              "Slurm does not answer, is too busy, or a limit on counts is reached"},
};

}  // namespace

std::span<const CauseLine> causes() {
  return kCauses;
}

const CauseLine& line_of(Cause cause) {
  return kCauses[static_cast<std::size_t>(cause)];
}

std::string_view name(Then then) {
  switch (then) {
    case Then::wait: return "wait";
    case Then::wait_for_a_change: return "wait for a change";
    case Then::retry: return "retry";
    case Then::hold: return "hold, then submit again";
    case Then::submit_again: return "cancel and submit again";
    case Then::remove_the_pod: return "remove the pod";
  }
  return "";
}

Explanation explain(Cause cause, std::string message) {
  return {std::string(line_of(cause).reason), std::move(message)};
}

bool is_refusal(const Explanation& explanation) {
  return std::ranges::any_of(kCauses, [&](const CauseLine& line) {
    return line.is_refusal && line.reason == explanation.reason;
  });
}

}  // namespace bridge
