// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bridge::writes {

// Why a pod is not bound. causes() has the reaction to each; docs/scheduling.md has the same table.
enum class Cause {
  bad_request,        // an annotation or amount of the pod or its owners is invalid
  refused,            // Slurm rejects such a job
  no_node_fits,       // no node in Slurm can ever run the pod
  waiting,            // the job is pending in Slurm
  volumes_missing,    // a volume claim is missing or has no volume yet
  node_unknown,       // Slurm chose a node that Kubernetes does not have
  node_cannot,        // the chosen node cannot run the pod now
  node_never,         // the chosen node can never run the pod
  volumes_pending,    // the pod's volumes are being provisioned for the chosen node
  job_ended,          // the job ended before the pod was bound, and was not cancelled
  job_not_ours,       // the pod names a job that was not submitted for it
  job_forgotten,      // the job is unknown to Slurm
  job_cancelled,      // the job was cancelled before the pod was bound
  slurm_unreachable,  // Slurm does not answer, or rejects the token
  limit_reached,      // Slurm does not accept the job at present
  owner_unreadable,   // an owner of the pod that affects its job cannot be read
  write_refused,      // the API server rejects a write permanently: RBAC or a webhook
  job_unconfirmed,    // Slurm's latest answer about the job is too old
  unsupported,        // the pod requests something that the bridge does not support yet
};

// What the bridge does next.
enum class Reaction {
  wait,               // for Slurm
  wait_for_a_change,  // of the pod, its owners, the nodes or Slurm's configuration; slowly
                      // rechecked
  retry,              // the same step again, with back-off
  hold,               // retry for at most holdSeconds, then cancel the job and submit again
  submit_again,       // cancel the job, if there is one, and submit another
  remove_the_pod,     // pods::PodSyncer deletes the pod
};

struct CauseLine {
  Cause cause;
  std::string_view reason;  // of the pod's condition; empty: nothing is written
  Reaction reaction;
  bool is_refusal;  // a user or administrator has to act: an Event is recorded as well
  std::string_view text;
};

// One line per Cause, in the order of the enum.
std::span<const CauseLine> causes();
const CauseLine& line_of(Cause cause);
std::string_view name(Reaction reaction);

// Why a pod waits, as shown in its condition PodScheduled.
struct Explanation {
  Cause cause;
  std::string message;

  // Reason of the condition. Two causes may have the same reason.
  std::string reason() const { return std::string(line_of(cause).reason); }
  friend bool operator==(const Explanation&, const Explanation&) = default;
};

// The API server's limit for the message of an Event.
inline constexpr std::size_t kMostMessageBytes = 1024;

// A message longer than kMostMessageBytes is cut off and ends with "...".
Explanation explain(Cause cause, std::string message);
Cause cause_of_failed_submit(const base::Error& error);
// The pod waits until a user or administrator changes something.
bool is_refusal(const Explanation& explanation);
// The pod is held: its job keeps the node, for at most holdSeconds.
bool is_hold(const Explanation& explanation);

}  // namespace bridge::writes
