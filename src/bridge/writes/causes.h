// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bridge::writes {

// Everything that can keep a pod from running, each with what the bridge does about it. The same
// table is in docs/scheduling.md.
enum class Cause {
  bad_request,       // the pod or its owners ask for something that cannot be asked for
  refused,           // Slurm does not take such a job
  no_node_fits,      // no node that Slurm has can ever take the pod
  waiting,           // Slurm will start it in its turn
  volumes_missing,   // a volume claim that cannot be placed yet
  node_unknown,      // Slurm chose a node that Kubernetes does not have
  node_cannot,       // the chosen node cannot take the pod now
  node_never,        // the chosen node can never take the pod
  volumes_pending,   // its volumes are being made for the chosen node
  job_ended,         // the job ended before the pod was bound, and nobody cancelled it
  job_not_ours,      // the pod names a job that was not made for it
  job_forgotten,     // Slurm does not know the job any more
  job_cancelled,     // somebody cancelled the job before the pod was bound
  slurm_away,        // Slurm does not answer
  limit_reached,     // Slurm answers that it does not take the job now
  owner_unreadable,  // what the pod's owners want is not known
  write_refused,     // the API server says no to a write, and not by accident
  job_unconfirmed,   // the bridge lacks a recent answer of Slurm's about the job
  unsupported,       // the pod asks for something that the bridge does not support yet
};

// What the bridge does next.
enum class Reaction {
  wait,               // Slurm's turn
  wait_for_a_change,  // of the pod, its owners, the nodes or Slurm's configuration; slowly
                      // rechecked
  retry,              // the same step again, with back-off
  hold,               // look again until it goes, at most holdSeconds, then cancel and submit again
  submit_again,       // give the job back, if there is one, and make another
  remove_the_pod,     // pod sync deletes it
};

struct CauseLine {
  Cause cause;
  std::string_view reason;  // of the pod's condition; empty: nothing is written
  Reaction reaction;
  bool is_refusal;  // somebody has to change something: also an Event
  std::string_view text;
};

// One line per Cause, in their order.
std::span<const CauseLine> causes();
const CauseLine& line_of(Cause cause);
std::string_view name(Reaction reaction);

// Why a pod waits, for the person who looks at it.
struct Explanation {
  Cause cause;
  std::string message;

  // One word, for the condition. Two causes may have the same.
  std::string reason() const { return std::string(line_of(cause).reason); }
  friend bool operator==(const Explanation&, const Explanation&) = default;
};

// A message may be as long as the API server allows for an Event's.
inline constexpr std::size_t kMostMessageBytes = 1024;

// A longer message is cut off, with "..." at its end.
Explanation explain(Cause cause, std::string message);
// What a submit that failed in this way comes to.
Cause cause_of_failed_submit(const base::Error& error);
// It waits for somebody to change something, not for its turn.
bool is_refusal(const Explanation& explanation);
// It has a node that is kept for it, and not for ever.
bool is_hold(const Explanation& explanation);

}  // namespace bridge::writes
