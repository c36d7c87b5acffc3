// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/explainer.h"

#include "bridge/marks/named_job.h"
#include "bridge/scheduling/timing.h"
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

// A refusal that lasts until a user or an administrator changes something. Errors of a server that
// is unreachable or busy, or that rejects the credentials, do not concern the pod.
bool is_refused(const Error& error) {
  return error.is(Kind::forbidden) || error.is(Kind::invalid) || error.is(Kind::refused);
}

// For a pod that waits for an answer of Slurm about its job. Contains no changing numbers, so that
// the message is written once.
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

net::Task<Requeue> Explainer::wait(std::shared_ptr<const Pod> pod,
                                   PodRecord& record,
                                   writes::Explanation why) {
  const kube::ObjectKey key = pod->metadata.key();
  const base::Instant now = context_.loop.now();
  recheck_when_block_ends(key, record);
  // Owners are not watched.
  if (why.cause == writes::Cause::bad_request && !pod->metadata.ownerReferences.empty())
    queue_.add_after(key, kRecheckOwnersAfter);
  if (why.cause == writes::Cause::job_cancelled) {
    // The controllers role deletes the pod within seconds, if it runs.
    if (!record.removal_awaited_since) record.removal_awaited_since = now;
    const base::Instant due = *record.removal_awaited_since + kExplainFailureAfter;
    if (now < due) co_return Requeue::after(due - now);
  } else {
    record.removal_awaited_since.reset();
  }
  if (is_hold(why) && marks::named_job(*pod)) {
    if (!record.held_since) record.held_since = now;
    // Short holds, for example until another pod on the node ends, are not explained.
    if (now < *record.held_since + kExplainAfter) co_return Requeue::after(kRecheckHeldEvery);
    queue_.add_after(key, kRecheckHeldEvery);
  }
  co_return co_await explain(pod, record, std::move(why));
}

void Explainer::recheck_when_block_ends(const kube::ObjectKey& key, const PodRecord& record) {
  const base::Instant now = context_.loop.now();
  for (const base::Instant until : {record.refused_until, record.blocked_until}) {
    if (now < until) queue_.add_after(key, until - now);
  }
}

net::Task<Requeue> Explainer::explain(std::shared_ptr<const Pod> pod,
                                      PodRecord& record,
                                      writes::Explanation why) {
  // A bound pod keeps its condition PodScheduled, whatever the state of its job.
  if (pod->bound()) co_return Requeue::on_change();
  // A process writes an explanation once: a later explanation of another process is kept.
  if (shows(*pod, why) || (record.explained == why && writes::is_explained(*pod)))
    co_return Requeue::on_change();
  const base::Instant due = record.first_seen + kExplainAfter;
  if (context_.loop.now() < due) co_return Requeue::after(due - context_.loop.now());

  const auto written = co_await writes::patch_pod(
      context_, cluster_, pod, {kube::PatchType::strategic, condition_patch(*pod, why), "status"});
  if (!written.ok()) {
    // The API server may have carried out the request, and the pod may show this message.
    record.explained.reset();
    co_return step_failed("explain", *pod, written.error());
  }
  context_.steps.done("explain");
  record.explained = why;
  // One Event per condition and not per refusal: a refused request is retried without limit.
  if (is_refusal(why))
    context_.events.record({subject(*pod), kube::Severity::warning, why.reason(), why.message});
  co_return Requeue::on_change();
}

Requeue Explainer::step_failed(std::string_view what, const Pod& pod, const Error& error) {
  return runtime::step_failed(context_, what, runtime::step_object(pod.metadata.key()), error);
}

net::Task<void> Explainer::persistent_failure(std::shared_ptr<const Pod> pod,
                                              PodRecord& record,
                                              Failure failure) {
  const bool told = record.explained && record.explained->cause == failure.why.cause &&
                    writes::is_explained(*pod);
  if (told || !context_.may_act() || context_.loop.now() < failure.since + kExplainFailureAfter)
    co_return;
  (void)co_await explain(pod, record, std::move(failure.why));
}

net::Task<Requeue> Explainer::owners_unreadable(std::shared_ptr<const Pod> pod,
                                                PodRecord& record,
                                                Error error) {
  const Requeue again = step_failed("read owners", *pod, error);
  if (!record.owners_unreadable_since) record.owners_unreadable_since = context_.loop.now();
  std::string message = fmt::format("Cannot {}.", error.message());
  co_await persistent_failure(
      pod,
      record,
      {*record.owners_unreadable_since,
       bridge::writes::explain(writes::Cause::owner_unreadable, std::move(message))});
  co_return again;
}

net::Task<Requeue> Explainer::write_failed(std::string_view what,
                                           std::shared_ptr<const Pod> pod,
                                           PodRecord& record,
                                           Error error) {
  const Requeue again = step_failed(what, *pod, error);
  if (!is_refused(error)) {
    record.write_refused.reset();
    co_return again;
  }
  if (!record.write_refused) {
    record.write_refused = {
        context_.loop.now(),
        fmt::format("the API server refuses a write ({}): {}", what, error.message())};
  }
  std::string message = fmt::format("Cannot go on: {}.", record.write_refused->message);
  co_await persistent_failure(
      pod,
      record,
      {record.write_refused->since,
       bridge::writes::explain(writes::Cause::write_refused, std::move(message))});
  co_return again;
}

net::Task<Requeue> Explainer::await_answer(std::shared_ptr<const Pod> pod, PodRecord& record) {
  const slurm::JobId job = *marks::named_job(*pod);
  const slurm::JobView* view = cluster_.mirror().find(job);
  const bool placed = view != nullptr && view->placed();
  if (placed) cluster_.mirror().confirm(job);
  if (!record.answer_awaited_since) record.answer_awaited_since = context_.loop.now();
  const base::Instant due = *record.answer_awaited_since + kExplainFailureAfter;
  // Until the state of the job is known, an explanation of the previous process is kept.
  const bool runs = view != nullptr && view->known(slurm::JobState::running);
  if (runs || !writes::is_explained(*pod)) {
    co_await persistent_failure(
        pod,
        record,
        {*record.answer_awaited_since,
         bridge::writes::explain(writes::Cause::job_unconfirmed, unconfirmed_message(job, view))});
  }
  if (placed) co_return Requeue::after(kRecheckAfter);
  // The job is polled, and the answer wakes the pod.
  const base::Instant now = context_.loop.now();
  co_return now < due ? Requeue::after(due - now) : Requeue::on_change();
}

bool Explainer::write_refused_past_hold(const PodRecord& record) const {
  return record.write_refused &&
         record.write_refused->since + context_.live.hold <= context_.loop.now();
}

}  // namespace bridge::scheduling
