// SPDX-License-Identifier: Apache-2.0
// What the scheduler says when nothing goes on, and when it looks again.
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/scheduler.h"
#include "bridge/writes/pod_patch.h"
#include "bridge/writes/pod_writes.h"

#include <fmt/format.h>

#include <utility>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using kube::Pod;
using kube::Requeue;
using namespace std::chrono_literals;

// Most pods start at once; only those that wait longer are worth a write.
constexpr auto kExplainAfter = 2s;
// Short interruptions are not worth a word.
constexpr auto kSayThatItFails = 10s;
constexpr auto kLookAtHeldEvery = 500ms;
constexpr auto kLookAtOwnersAgain = 60s;

// An answer that only people can change. A server that is away, busy or does not know us at the
// moment says nothing about the pod.
bool is_refused(const Error& error) {
  return error.is(Kind::forbidden) || error.is(Kind::invalid) || error.is(Kind::refused);
}

// For a pod whose job is known to Slurm, as far as the bridge knows. Without numbers that change:
// the same wait has the same message.
std::string unconfirmed_message(slurm::JobId job, const slurm::JobView* view) {
  if (view == nullptr || !view->known(slurm::JobState::running))
    return fmt::format("The bridge waits for Slurm's first answer about job {} of this pod.", job);
  if (view->nodes.empty())
    return fmt::format("Slurm job {} runs; the bridge waits for Slurm's answer on which node.",
                       job);
  return fmt::format(
      "Slurm job {} runs on node {}; the bridge waits for a recent answer of Slurm that confirms "
      "it "
      "before it binds the pod. Slurm's answers are slow or missing.",
      job,
      view->nodes.front());
}

}  // namespace

// Nothing can be done now: says why, and looks again when that may have changed.
net::Task<Requeue> Scheduler::wait(std::shared_ptr<const Pod> pod,
                                   Memory& memory,
                                   writes::Explanation why) {
  const kube::ObjectKey key = pod->metadata.key();
  const base::Instant now = links_.loop.now();
  look_when_it_may_ask_again(key, memory);
  // Nobody tells us when an owner changes.
  if (why.cause == writes::Cause::bad_request && !pod->metadata.ownerReferences.empty())
    queue_.add_after(key, kLookAtOwnersAgain);
  if (is_hold(why) && marks::named_job(*pod)) {
    if (!memory.held_since) memory.held_since = now;
    // What is about to go, such as a pod that ends, is not worth a word.
    if (now < *memory.held_since + kExplainAfter) co_return Requeue::after(kLookAtHeldEvery);
    queue_.add_after(key, kLookAtHeldEvery);
  }
  co_return co_await explain(pod, memory, std::move(why));
}

void Scheduler::look_when_it_may_ask_again(const kube::ObjectKey& key, const Memory& memory) {
  const base::Instant now = links_.loop.now();
  for (const base::Instant until : {memory.refused_until, memory.hindered_until}) {
    if (now < until) queue_.add_after(key, until - now);
  }
}

net::Task<Requeue> Scheduler::explain(std::shared_ptr<const Pod> pod,
                                      Memory& memory,
                                      writes::Explanation why) {
  // Whatever became of its job: it is scheduled.
  if (pod->bound()) co_return Requeue::on_change();
  // Said once is enough: another process may know better by now, and its words stand then.
  if (shows(*pod, why) || (memory.explained == why && writes::is_explained(*pod)))
    co_return Requeue::on_change();
  const base::Instant due = memory.first_seen + kExplainAfter;
  if (links_.loop.now() < due) co_return Requeue::after(due - links_.loop.now());

  const auto written = co_await writes::patch_pod(
      links_, picture_, pod, {kube::PatchType::strategic, condition_patch(*pod, why), "status"});
  if (!written.ok()) co_return failed("explain", *pod, written.error());
  links_.tally.done("explain");
  memory.explained = why;
  // With the condition and not with each refusal: what is refused is asked again for ever.
  if (is_refusal(why))
    links_.events.record({subject(*pod), kube::Severity::warning, why.reason(), why.message});
  co_return Requeue::on_change();
}

Requeue Scheduler::failed(std::string_view what, const Pod& pod, const Error& error) {
  note_failed_step(links_, what, pod.metadata.key(), error);
  return Requeue::after_backoff(error);
}

// A step that is tried again and again does not succeed. What is said is the first reason: others
// of the same cause would come and go.
net::Task<void> Scheduler::explain_if_it_lasts(std::shared_ptr<const Pod> pod,
                                               Memory& memory,
                                               Failure failure) {
  const bool told = memory.explained && memory.explained->cause == failure.why.cause &&
                    writes::is_explained(*pod);
  if (told || !links_.may_act() || links_.loop.now() < failure.since + kSayThatItFails) co_return;
  (void)co_await explain(pod, memory, std::move(failure.why));
}

net::Task<Requeue> Scheduler::owners_unread(std::shared_ptr<const Pod> pod,
                                            Memory& memory,
                                            Error error) {
  const Requeue again = failed("read owners", *pod, error);
  if (!memory.owners_unread_since) memory.owners_unread_since = links_.loop.now();
  std::string words = fmt::format("Cannot {}.", error.message());
  co_await explain_if_it_lasts(
      pod,
      memory,
      {*memory.owners_unread_since,
       bridge::writes::explain(writes::Cause::owner_unreadable, std::move(words))});
  co_return again;
}

net::Task<Requeue> Scheduler::write_failed(std::string_view what,
                                           std::shared_ptr<const Pod> pod,
                                           Memory& memory,
                                           Error error) {
  const Requeue again = failed(what, *pod, error);
  if (!is_refused(error)) {
    memory.write_refused.reset();
    co_return again;
  }
  if (!memory.write_refused) {
    memory.write_refused = {
        links_.loop.now(),
        fmt::format("the API server refuses a write ({}): {}", what, error.message())};
  }
  std::string words = fmt::format("Cannot go on: {}.", memory.write_refused->words);
  co_await explain_if_it_lasts(
      pod,
      memory,
      {memory.write_refused->since,
       bridge::writes::explain(writes::Cause::write_refused, std::move(words))});
  co_return again;
}

net::Task<Requeue> Scheduler::await_answer(std::shared_ptr<const Pod> pod, Memory& memory) {
  const slurm::JobId job = *marks::named_job(*pod);
  const slurm::JobView* view = picture_.mirror().find(job);
  const bool placed = view != nullptr && view->placed();
  if (placed) picture_.mirror().confirm(job);
  if (!memory.answer_awaited_since) memory.answer_awaited_since = links_.loop.now();
  const base::Instant due = *memory.answer_awaited_since + kSayThatItFails;
  // Until something is known of the job, a message of the process before us is better than this
  // one.
  const bool runs = view != nullptr && view->known(slurm::JobState::running);
  if (runs || !writes::is_explained(*pod)) {
    co_await explain_if_it_lasts(
        pod,
        memory,
        {*memory.answer_awaited_since,
         bridge::writes::explain(writes::Cause::job_unconfirmed, unconfirmed_message(job, view))});
  }
  if (placed) co_return Requeue::after(kLookAgainAfter);
  // The answer that is missing is under way, and wakes the pod when it comes.
  const base::Instant now = links_.loop.now();
  co_return now < due ? Requeue::after(due - now) : Requeue::on_change();
}

bool Scheduler::refused_for_long(const Memory& memory) const {
  return memory.write_refused &&
         memory.write_refused->since + links_.live.hold <= links_.loop.now();
}

}  // namespace bridge::scheduling
