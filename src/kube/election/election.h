// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/client/client.h"
#include "kube/election/election_rule.h"
#include "net/async/loop.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kube::inline election {

// Holds a Lease, so that only one of several processes acts (leader election).
//
// Expects     an identity that no other process ever uses; times that check() accepts; a client
//             whose connections are not shared with other work; on that Lease the permissions get,
//             create, and patch or update.
// Guarantees  at most one elector of a Lease is leading(), ours or a Go client's, unless the Lease
//             is deleted or edited by hand or clocks run at very different speeds: a Lease is taken
//             only when its record did not change for its whole duration on the local monotonic
//             clock, and leadership ends by itself well before. Calendar times are not used. Each
//             write is conditional on the version that it replaces; after a write with an unknown
//             outcome the Lease is read.
// Does not    fence: a request that is in transit when leadership ends still arrives.
class Election {
 public:
  struct Options {
    ObjectKey lease;
    std::string identity;
    ElectionTimes times{};
  };

  Election(net::Loop& loop, Client& client, Options options, base::Log log);

  // Waits until this process leads; fails only if cancelled. Problems are logged.
  net::Task<base::Result<void>> acquire();

  // Reads the Lease periodically without acquiring it, until the task is cancelled: a following
  // acquire() already knows since when its holder has not renewed. Not concurrently with another
  // call.
  net::Task<void> watch();

  // Renews until the task is cancelled or leadership ends: Kind::conflict names the new holder,
  // Kind::unavailable the reason why the Lease could not be renewed in time. acquire() may follow.
  net::Task<base::Result<void>> hold();

  // Gives up leadership at once, so that others can take the Lease without waiting. For a shutdown:
  // call it when no work is left, from a task that is not cancelled. Takes at most `most`; if it
  // fails, others wait until the Lease expires.
  net::Task<base::Result<void>> release(base::Duration most = std::chrono::seconds(2));

  // True for the renew deadline after the last renewal was *sent*. Check right before acting: a
  // process that was paused sees here that its time has passed, although its tasks have not run
  // yet.
  bool leading() const { return loop_.now() < leading_until_; }

  // The holder at the last read, empty if there was none.
  std::string holder() const { return observed_.holder(); }
  // The Lease as last read.
  const std::optional<Lease>& lease() const { return observed_.lease(); }
  // Why the last attempt to read or to take the Lease failed; empty if it succeeded.
  const std::optional<base::Error>& problem() const { return problem_; }
  // How many times this process became leader.
  std::uint64_t terms() const { return terms_; }

 private:
  enum class Held { by_us, by_other };

  // Reads if needed, and writes what the rule decides. On an error the state is unknown.
  net::Task<base::Result<Held>> attempt(base::Instant deadline);
  net::Task<base::Result<void>> read_lease(base::Instant deadline);
  net::Task<base::Result<void>> write(ElectionStep step, base::Instant deadline);
  net::Task<base::Result<void>> give_up(base::Instant deadline);
  // Writes the change to exactly the version that was read, with the verb that is permitted.
  net::Task<base::Result<std::string>> change(json::Value patch, base::Instant deadline);
  base::Result<void> observe(const std::string& body);
  base::Instant call_deadline() const;
  base::Error lost() const;
  base::Error not_renewed(std::string why) const;
  void report(const base::Error& error);

  net::Loop& loop_;
  Client& client_;
  Options options_;
  base::Log log_;
  ObservedLease observed_;
  json::Value document_;   // the Lease as received, including unknown fields
  bool may_patch_ = true;  // roles made for Go clients grant update only
  bool must_read_ = true;  // the observed state may be old
  bool may_hold_ = false;  // one of our writes may have arrived
  base::Instant leading_until_ = base::Instant::min();
  std::optional<base::Error> problem_;
  std::string reported_;  // the problem logged last
  std::uint64_t terms_ = 0;
};

}  // namespace kube::inline election
