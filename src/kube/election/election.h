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

// Holds a Lease, so that one of several processes acts (leader election).
//
// Expects     an identity that no other process ever uses; times that check() accepts; a client
//             whose connections nobody else can use up; on that Lease the rights to get, to create,
//             and to patch or to update.
// Guarantees  at most one elector of a Lease is leading(), ours or a Go client's, as long as nobody
//             deletes or edits the Lease by hand and clocks run at about the same speed: a Lease
//             is taken only when its record did not change for its whole duration on our own
//             clock, and leadership ends by itself a good while before. What the calendar says,
//             here or there, plays no part. Each write is conditional on the version that it
//             replaces; one whose outcome is unknown is followed by a look.
// Does not    fence: a request that is under way when leadership ends still arrives.
class Election {
 public:
  struct Options {
    ObjectKey lease;
    std::string identity;
    ElectionTimes times{};
  };

  Election(net::Loop& loop, Client& client, Options options, base::Log log);

  // Waits until we lead; only cancellation makes it fail. What is in the way is logged.
  net::Task<base::Result<void>> acquire();

  // Looks at the Lease now and then without wanting it, until the task is cancelled: an acquire()
  // that follows knows already how long its holder has been silent. Not beside another call.
  net::Task<void> watch();

  // Renews until the task is cancelled or leadership is over: Kind::conflict names who has the
  // Lease now, Kind::unavailable says why it could not be renewed in time. acquire() may follow.
  net::Task<base::Result<void>> hold();

  // Gives up leadership, at once and for others to take without waiting. For a shutdown: call it
  // when nothing acts any more, from a task that is not cancelled. Within `most` time; where it
  // fails, others wait until the Lease runs out.
  net::Task<base::Result<void>> release(base::Duration most = std::chrono::seconds(2));

  // True for the renew deadline after the last renewal was *sent*. Ask right before acting: a
  // process that was stopped for a while sees here that its time is over, though its tasks have
  // not run yet.
  bool leading() const { return loop_.now() < leading_until_; }

  // Who held the Lease when we last looked, empty if nobody did.
  std::string holder() const { return observed_.holder(); }
  // The Lease as we last saw it.
  const std::optional<Lease>& lease() const { return observed_.lease(); }
  // Why the last attempt to read or to take the Lease failed; empty if it did not.
  const std::optional<base::Error>& problem() const { return problem_; }
  // How many times we became leader.
  std::uint64_t terms() const { return terms_; }

 private:
  enum class Held { by_us, by_other };

  // Looks where needed, and writes what the rule says. An error: nothing is known.
  net::Task<base::Result<Held>> attempt(base::Instant deadline);
  net::Task<base::Result<void>> look(base::Instant deadline);
  net::Task<base::Result<void>> write(ElectionStep step, base::Instant deadline);
  net::Task<base::Result<void>> give_up(base::Instant deadline);
  // Makes the change to the very version that was looked at, by the verb that we may use.
  net::Task<base::Result<std::string>> change(json::Value patch, base::Instant deadline);
  base::Result<void> take_in(const std::string& body);
  base::Instant call_deadline() const;
  base::Error lost() const;
  base::Error not_renewed(std::string why) const;
  void report(const base::Error& error);

  net::Loop& loop_;
  Client& client_;
  Options options_;
  base::Log log_;
  ObservedLease observed_;
  json::Value document_;   // the Lease as the server showed it, with fields that we do not know
  bool may_patch_ = true;  // until the server says no: roles made for Go clients grant update only
  bool must_look_ = true;  // what we observed may be old
  bool may_hold_ = false;  // a write of ours may have arrived
  base::Instant leading_until_ = base::Instant::min();
  std::optional<base::Error> problem_;
  std::string reported_;  // what was last logged to be in the way
  std::uint64_t terms_ = 0;
};

}  // namespace kube::inline election
