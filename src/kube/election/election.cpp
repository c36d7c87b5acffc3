// SPDX-License-Identifier: Apache-2.0
#include "kube/election/election.h"

#include "json/patch.h"
#include "kube/client/request.h"
#include "net/transport/deadline.h"

#include <fmt/format.h>

#include <algorithm>

namespace kube::inline election {

using base::Error;
using base::Kind;
using base::Result;

namespace {

// Errors that prove that the write had no effect.
bool had_no_effect(Kind kind) {
  return kind != Kind::lost && kind != Kind::cancelled && kind != Kind::protocol &&
         kind != Kind::unavailable;
}

}  // namespace

Election::Election(net::Loop& loop, Client& client, Options options, base::Log log)
    : loop_(loop), client_(client), options_(std::move(options)), log_(std::move(log)) {}

net::Task<Result<void>> Election::acquire() {
  for (;;) {
    must_read_ = true;  // others may have written
    auto outcome = co_await attempt(call_deadline());
    base::Duration pause = options_.times.retry;
    problem_.reset();
    if (!outcome.ok()) {
      if (outcome.error().is(Kind::cancelled)) co_return std::move(outcome).error();
      problem_ = outcome.error();
      report(outcome.error());
      pause = std::max<base::Duration>(
          pause, outcome.error().retry_after().value_or(std::chrono::milliseconds::zero()));
    } else if (*outcome == Held::by_us && leading()) {
      ++terms_;
      reported_.clear();
      log_.info("became the leader", {{"lease", options_.lease.to_string()}});
      co_return Result<void>();
    }
    // Random jitter keeps the candidates from polling in step.
    const auto spread = static_cast<std::uint64_t>(options_.times.retry.count() / 5 + 1);
    pause += base::Duration(static_cast<base::Duration::rep>(loop_.random() % spread));
    CO_TRY_VOID(co_await loop_.sleep_for(pause));
  }
}

net::Task<void> Election::watch() {
  for (;;) {
    const auto read = co_await read_lease(call_deadline());
    if (!read.ok() && read.error().is(Kind::cancelled)) co_return;
    problem_.reset();
    if (!read.ok()) problem_ = read.error();
    const auto slept = co_await loop_.sleep_for(options_.times.retry);
    if (!slept.ok()) co_return;
  }
}

net::Task<Result<void>> Election::hold() {
  constexpr std::string_view kNotTried = "this process was stopped or too busy to try";
  std::string why(kNotTried);
  for (;;) {
    CO_TRY_VOID(
        co_await loop_.sleep_until(std::min(loop_.in(options_.times.retry), leading_until_)));
    if (!leading()) co_return not_renewed(std::move(why));
    auto outcome = co_await attempt(std::min(call_deadline(), leading_until_));
    if (outcome.ok()) {
      if (*outcome == Held::by_other) co_return lost();
      why = kNotTried;
      continue;
    }
    if (outcome.error().is(Kind::cancelled)) co_return std::move(outcome).error();
    why = outcome.error().to_string();
  }
}

net::Task<Result<void>> Election::release(base::Duration most) {
  leading_until_ = base::Instant::min();
  if (!may_hold_) co_return Result<void>();
  const base::Instant deadline = loop_.in(most);
  auto outcome = co_await give_up(deadline);
  if (!outcome.ok() && !outcome.error().is(Kind::cancelled)) {
    outcome = co_await give_up(deadline);
  }
  if (!outcome.ok()) co_return std::move(outcome).error().in("release the lease");
  may_hold_ = false;
  co_return Result<void>();
}

net::Task<Result<void>> Election::give_up(base::Instant deadline) {
  CO_TRY_VOID(co_await read_lease(deadline));
  if (observed_.holder() != options_.identity) co_return Result<void>();
  json::Object body = release_patch(
      *observed_.lease(), {options_.identity, options_.times.lease, loop_.clock().wall()});
  must_read_ = true;
  CO_TRY(const std::string answer, co_await change(std::move(body), deadline));
  co_return observe(answer);
}

net::Task<Result<Election::Held>> Election::attempt(base::Instant deadline) {
  constexpr int kRounds = 3;  // if the version changed between read and write, read again
  const bool was_leading = leading();
  Error problem(Kind::internal, "not tried");
  for (int round = 0; round < kRounds; ++round) {
    if (must_read_) CO_TRY_VOID(co_await read_lease(deadline));
    const ElectionStep step =
        next_step(observed_, options_.identity, loop_.now(), options_.times.lease);
    // Taking back a Lease that was emptied would hide that this process was not the leader
    // meanwhile.
    const bool was_lost = was_leading && step == ElectionStep::take;
    if (step == ElectionStep::wait || was_lost) {
      leading_until_ = base::Instant::min();
      co_return Held::by_other;
    }
    auto written = co_await write(step, deadline);
    if (written.ok()) co_return Held::by_us;
    problem = std::move(written).error();
    const bool deleted = step != ElectionStep::create && problem.is(Kind::not_found);
    if (!deleted && !problem.is(Kind::conflict)) break;
  }
  co_return std::move(problem);
}

net::Task<Result<void>> Election::read_lease(base::Instant deadline) {
  auto answer = co_await client_.get(object_path(kLeases, options_.lease), deadline);
  if (!answer.ok() && answer.error().is(Kind::not_found)) {
    observed_.saw_none();
    must_read_ = false;
    co_return Result<void>();
  }
  if (!answer.ok()) co_return std::move(answer).error().in("read the lease");
  co_return observe(*answer);
}

net::Task<Result<void>> Election::write(ElectionStep step, base::Instant deadline) {
  const base::Instant sent = loop_.now();
  const Candidate candidate{options_.identity, options_.times.lease, loop_.clock().wall()};
  const bool held_before = may_hold_;
  may_hold_ = true;
  must_read_ = true;
  auto answer =
      step == ElectionStep::create
          ? co_await client_.post(collection_path(kLeases, options_.lease.ns),
                                  new_lease(options_.lease, candidate),
                                  deadline)
          : co_await change(step == ElectionStep::renew ? renew_patch(*observed_.lease(), candidate)
                                                        : take_patch(*observed_.lease(), candidate),
                            deadline);
  if (!answer.ok()) {
    if (had_no_effect(answer.error().kind())) may_hold_ = held_before;
    co_return std::move(answer).error().in("write the lease");
  }
  CO_TRY_VOID(observe(*answer));
  if (observed_.holder() != options_.identity)
    co_return Error(Kind::protocol, "the server accepted the write but shows another holder");
  leading_until_ = std::max(leading_until_, sent + options_.times.renew_deadline);
  co_return Result<void>();
}

net::Task<Result<std::string>> Election::change(json::Value patch, base::Instant deadline) {
  const std::string target = object_path(kLeases, options_.lease);
  if (may_patch_) {
    auto answer = co_await client_.patch(target, PatchType::merge, patch, deadline);
    if (answer.ok() || !answer.error().is(Kind::forbidden)) co_return answer;
  }
  json::Value whole = document_;
  json::apply_merge_patch(whole, patch);
  auto answer = co_await client_.put(target, std::move(whole), deadline);
  may_patch_ = !answer.ok() && answer.error().is(Kind::forbidden);  // both forbidden: try both
  co_return answer;
}

Result<void> Election::observe(const std::string& body) {
  json::Parser parser;
  TRY(const json::Node root, parser.parse(body));
  TRY(Lease lease, decode_object<Lease>(root));
  TRY(document_, json::parse(body));
  observed_.saw(std::move(lease), loop_.now());
  must_read_ = false;
  return {};
}

// Leaves time for another attempt if a call hangs.
base::Instant Election::call_deadline() const {
  return loop_.in(options_.times.renew_deadline / 2);
}

Error Election::lost() const {
  const std::string now = observed_.holder();
  return Error(
      Kind::conflict,
      now.empty()
          ? fmt::format("lost the lease {}: its holder was removed", options_.lease.to_string())
          : fmt::format("lost the lease {} to {}", options_.lease.to_string(), now));
}

Error Election::not_renewed(std::string why) const {
  return Error(Kind::unavailable,
               fmt::format("could not renew the lease {} for {}: {}",
                           options_.lease.to_string(),
                           net::duration_text(options_.times.renew_deadline),
                           why));
}

void Election::report(const Error& error) {
  const std::string text = error.to_string();
  if (text == reported_) return;
  reported_ = text;
  const std::string_view advice =
      error.is(Kind::forbidden)
          ? "grant get, create and patch on leases in coordination.k8s.io, in this namespace"
          : "retried until it succeeds";
  log_.warn("cannot take part in the leader election",
            {{"lease", options_.lease.to_string()}, {"error", text}, {"next", advice}});
}

}  // namespace kube::inline election
