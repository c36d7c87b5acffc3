// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/mirror.h"

#include <utility>

namespace slurm::inline mirror {

Mirror::Mirror(net::Loop& loop, Client& client, MirrorOptions options, IsOurs is_ours)
    : loop_(loop),
      client_(client),
      options_(options),
      state_(
          options, [&loop] { return loop.random(); }, std::move(is_ours)),
      wake_(loop) {}

void Mirror::track(JobId id) {
  state_.track(id);
  wake_.notify();
}

void Mirror::track_from_now(JobId id) {
  state_.forget(id);
  track(id);
}

void Mirror::submitted(JobId id, std::string admin_comment) {
  state_.submitted(id, std::move(admin_comment), loop_.now());
  wake_.notify();
}

void Mirror::forget(JobId id) {
  state_.forget(id);
}

void Mirror::hurry() {
  state_.hurry(loop_.now());
  wake_.notify();
}

void Mirror::confirm(JobId id) {
  state_.confirm(id, loop_.now());
  wake_.notify();
}

void Mirror::request_scan() {
  state_.request_scan();
  wake_.notify();
}

net::Task<void> Mirror::run() {
  net::TaskGroup calls(loop_);
  for (;;) {
    MirrorState::Calls now = state_.next(loop_.now());
    const base::Instant wake = now.wake;
    start(calls, std::move(now));
    const auto woken = co_await wake_.wait_until(wake);
    if (!woken.ok()) break;
  }
  calls.cancel();
  co_await calls.join();
}

void Mirror::start(net::TaskGroup& calls, MirrorState::Calls what) {
  if (what.states) calls.spawn("slurm states", ask_states(std::move(*what.states)));
  if (what.all_states) calls.spawn("slurm scan", ask_all_states(*what.all_states));
  for (const auto& call : what.placements) calls.spawn("slurm placement", ask_placement(call));
  for (const auto& call : what.identities) calls.spawn("slurm identity", ask_identity(call));
  for (const auto& call : what.claims) calls.spawn("slurm identity", ask_claim(call));
}

net::Task<void> Mirror::ask_states(MirrorState::StatesCall call) {
  const auto answer = co_await client_.states(call.ids, deadline());
  notify_changes(state_.answered_states(call, answer, loop_.now()));
}

net::Task<void> Mirror::ask_all_states(QueryStamp asked) {
  const auto answer = co_await client_.all_states(deadline());
  notify_changes(state_.answered_all_states(asked, answer, loop_.now()));
}

net::Task<void> Mirror::ask_placement(MirrorState::JobCall call) {
  const auto answer = co_await client_.identity(call.id, deadline());
  notify_changes(state_.answered_placement(call, answer, loop_.now()));
}

net::Task<void> Mirror::ask_identity(MirrorState::JobCall call) {
  const auto answer = co_await client_.identity(call.id, deadline());
  notify_changes(state_.answered_identity(call, answer, loop_.now()));
}

net::Task<void> Mirror::ask_claim(MirrorState::JobCall call) {
  const auto answer = co_await client_.identity(call.id, deadline());
  notify_changes(state_.answered_claim(call, answer, loop_.now()));
}

void Mirror::notify_changes(const MirrorState::Changes& changes) {
  for (const JobId id : changes.jobs) {
    for (const auto& call : on_change_) call(id);
  }
  if (changes.scanned) {
    for (const auto& call : on_scan_) call();
  }
  const bool recovered = healthy() && !was_healthy_;
  const bool lost = !healthy() && was_healthy_;
  was_healthy_ = healthy();
  if (lost) {
    for (const auto& call : on_outage_) call();
  }
  if (recovered) {
    for (const auto& call : on_recovery_) call();
  }
  if (const auto shortened = state_.take_shortened()) {
    for (const auto& call : on_shortened_) call(*shortened);
  }
  wake_.notify();
}

}  // namespace slurm::inline mirror
