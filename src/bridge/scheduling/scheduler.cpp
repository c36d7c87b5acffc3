// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/scheduler.h"

#include "base/overloaded.h"
#include "base/rfc3339.h"
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/timing.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::Pod;
using kube::Requeue;
using namespace std::chrono_literals;

constexpr std::size_t kStepsAtOnce = 64;

// Whether the step concerns a job that this process submitted or released. Such a step is executed
// whether or not this process leads.
bool is_own(const Step& step, const PodRecord& record) {
  if (const auto* name = std::get_if<Label>(&step))
    return record.made && record.made->id == name->job;
  return std::holds_alternative<CancelOwn>(step);
}

}  // namespace

Scheduler::Scheduler(runtime::RoleContext context,
                     state::ClusterState& cluster,
                     const state::StateLossDetector& losses)
    : context_(std::move(context)),
      cluster_(cluster),
      queue_(context_.loop,
             context_.tasks,
             kStepsAtOnce,
             [this](kube::ObjectKey key) { return run(std::move(key)); }),
      started_(context_.loop.now()),
      started_at_(context_.loop.clock().wall()),
      owners_(context_.loop, context_.tasks, context_.kube),
      volumes_(context_.loop, context_.tasks, context_.kube),
      choice_(context_.loop, cluster_, volumes_),
      waiting_(context_, cluster_),
      explainer_(context_, cluster_, queue_),
      submitter_(context_,
                 cluster_,
                 {explainer_,
                  owners_,
                  choice_,
                  queue_,
                  [this](const kube::ObjectKey& key) { return record_of(key); }}),
      placer_(context_, cluster_, explainer_, volumes_),
      updater_(context_,
               cluster_,
               choice_,
               [this](const kube::ObjectKey& key) { return record_of(key); }),
      facts_(context_, cluster_, losses, waiting_, explainer_) {}

void Scheduler::start() {
  cluster_.on_pod([this](const kube::ObjectKey& key) {
    if (const auto pod = cluster_.pods().find(key)) remember(key, *pod);
    queue_.add(key);
  });
  cluster_.mirror().on_recovery([this] { queue_.retry_failed(); });
  submitter_.start();
  waiting_.on_look(
      [this](slurm::Job job) { return updater_.refresh_excluded_nodes(std::move(job)); });
  waiting_.on_news([this](slurm::JobId job) {
    for (const kube::ObjectKey& key : cluster_.pods_of(job)) queue_.add(key);
  });
  cluster_.mirror().on_scan([this] {
    for (const auto& [key, record] : records_) {
      const auto pod = cluster_.pods().find(key);
      const bool may_need_a_job = pod && !marks::named_job(*pod);
      if (may_need_a_job && record.scan_required_since != base::Instant::min()) queue_.add(key);
    }
  });
}

PodRecord* Scheduler::record_of(const kube::ObjectKey& key) {
  const auto found = records_.find(key);
  return found == records_.end() ? nullptr : &found->second;
}

bool Scheduler::is_older_than_this_process(const Pod& pod) const {
  const auto created = base::parse_rfc3339(pod.metadata.creationTimestamp);
  return !created.ok() || *created <= started_at_ + kClocksDiffer;
}

PodRecord& Scheduler::remember(const kube::ObjectKey& key, const Pod& pod) {
  auto [place, is_new] = records_.try_emplace(key);
  PodRecord& record = place->second;
  if (is_new) {
    record.uid = pod.metadata.uid;
    record.first_seen = context_.loop.now();
    // A previous process may have submitted a job for the pod, also if a stale first list did not
    // contain the pod.
    if (cluster_.mirror().scanned_since() < started_) record.scan_required_since = started_;
    record.is_older_than_process = is_older_than_this_process(pod);
  }
  record.observe(pod, context_.loop.now());
  return record;
}

net::Task<Requeue> Scheduler::run(kube::ObjectKey key) {
  // A pod that the submit queue calls during the run is run again.
  const bool was_called = submitter_.is_called(key);
  const Requeue again = co_await reconcile(key);
  submitter_.run_ended(key, was_called);
  co_return again;
}

net::Task<Requeue> Scheduler::reconcile(kube::ObjectKey key) {
  const auto pod = cluster_.pods().find(key);
  const auto known = records_.find(key);
  if (known != records_.end() && (!pod || known->second.uid != pod->metadata.uid))
    co_return co_await forget(key);
  if (!pod || pod->spec.schedulerName != context_.scheduler_name || !cluster_.synced())
    co_return Requeue::on_change();
  // No pod can be bound before the foreign pods on the nodes are known.
  if (!cluster_.foreign_pods().synced()) co_return Requeue::after(kRecheckAfter);

  PodRecord& record = remember(key, *pod);
  // A submit of the previous process may take effect after the first scan of this one.
  const base::Instant settled = started_ + kPreviousProcessSettles;
  if (record.is_older_than_process && context_.loop.now() >= settled)
    record.scan_required_since = std::max(record.scan_required_since, settled);
  if (pod->bound()) record.bind_accepted_at.reset();
  const auto request = co_await request_for(pod);
  if (!request.ok() && !request.error().is(Kind::invalid))
    co_return co_await explainer_.owners_unreadable(pod, record, request.error());
  record.owners_unreadable_since.reset();
  co_return co_await decide_and_act(pod, record, request);
}

// Does not suspend: the facts refer to the mirror and are valid only within this function.
Decision Scheduler::decide(const Pod& pod,
                           PodRecord& record,
                           const Result<slurm::JobRequest>& request,
                           const FactsReader::Prepared& prepared) {
  const PodFacts facts = facts_.of(pod, record, request, prepared);
  if (!facts.view || !facts.view->known(slurm::JobState::running)) record.held_since.reset();
  Decision decision = next_scheduling_step(facts);
  if (!std::holds_alternative<AwaitAnswer>(decision.step)) record.answer_awaited_since.reset();
  return decision;
}

net::Task<Requeue> Scheduler::decide_and_act(std::shared_ptr<const Pod> pod,
                                             PodRecord& record,
                                             const Result<slurm::JobRequest>& request) {
  FactsReader::Prepared prepared;
  bool submit_prepared = false;
  std::optional<Submitter::Prepared> submit;  // holds its place in the submit queue
  while (true) {
    Decision decision = decide(*pod, record, request, prepared);
    if (decision.explanation) {
      if (!context_.may_act()) co_return Requeue::on_change();
      co_return co_await explainer_.wait(pod, record, *std::move(decision.explanation));
    }
    if (!context_.may_act() && !is_own(decision.step, record)) co_return Requeue::on_change();

    if (auto* prepare = std::get_if<PrepareSubmit>(&decision.step)) {
      // The submit blocker or the refusal ended during the preparation.
      if (std::exchange(submit_prepared, true)) co_return Requeue::now();
      auto outcome = co_await submitter_.prepare(pod, record, std::move(prepare->request));
      if (const auto* again = std::get_if<Requeue>(&outcome)) co_return *again;
      if (auto* ready = std::get_if<Submitter::Prepared>(&outcome)) {
        submit = std::move(*ready);
        prepared.request = &submit->request;
      }
    } else if (auto* request_volumes = std::get_if<PrepareVolumes>(&decision.step)) {
      // The node changed during the first request.
      if (prepared.volumes) co_return Requeue::now();
      const kube::NodeName node = request_volumes->node;
      auto outcome = co_await placer_.prepare_volumes(pod, record, *request_volumes);
      if (const auto* again = std::get_if<Requeue>(&outcome)) co_return *again;
      prepared.volumes = std::get<VolumeReadiness>(std::move(outcome));
      prepared.volumes_on = node;
    } else {
      co_return co_await carry_out(pod, record, std::move(decision.step));
    }
  }
}

// Kind::invalid: a problem for the pod's author. Any other error: the owners could not be read.
net::Task<Result<slurm::JobRequest>> Scheduler::request_for(std::shared_ptr<const Pod> pod) {
  const bool needed = pod->bound() ? marks::asks_to_reserve_again(*pod) : !marks::named_job(*pod);
  if (!needed || pod->ended() || pod->metadata.deleting())
    co_return Error(Kind::invalid, "the pod needs no job");
  CO_TRY(const workload::Ownership owners, co_await owners_.of(*pod));
  auto request = workload::job_of_pod(*pod, owners, cluster_.bridge(), context_.live.defaults);
  if (!request.ok()) co_return Error(Kind::invalid, request.error().message());
  co_return request;
}

net::Task<void> Scheduler::finish(base::Instant deadline) {
  const auto unshown = [](const auto& entry) { return entry.second.made || entry.second.returned; };
  while (context_.loop.now() < deadline &&
         (queue_.busy() || std::ranges::any_of(records_, unshown))) {
    for (const auto& entry : records_) {
      if (unshown(entry)) queue_.add(entry.first);
    }
    const auto slept = co_await context_.loop.sleep_for(kFinishPollEvery);
    if (!slept.ok()) co_return;
  }
}

net::Task<Requeue> Scheduler::forget(kube::ObjectKey key) {
  const auto place = records_.find(key);
  for (std::optional<OwnJob> PodRecord::* own : {&PodRecord::made, &PodRecord::returned}) {
    std::optional<OwnJob>& job = place->second.*own;
    if (!job) continue;
    const bool done = co_await cancel_surplus_job(context_, cluster_, key, place->second.uid, *job);
    if (!done) co_return Requeue::after_backoff();
    job.reset();
  }
  submitter_.forget(key, place->second);
  records_.erase(key);
  co_return Requeue::now();
}

net::Task<Requeue> Scheduler::carry_out(std::shared_ptr<const Pod> pod,
                                        PodRecord& record,
                                        Step step) {
  return std::visit(
      base::Overloaded{
          [&](Nothing) { return nothing_to_do(pod, record); },
          [&](AwaitAnswer) { return explainer_.await_answer(pod, record); },
          [&](LookForJob) { return submitter_.look_for_job(pod, record); },
          // decide_and_act() reads these facts itself and never hands such a step over.
          [](const PrepareSubmit&) -> net::Task<Requeue> { std::unreachable(); },
          [](const PrepareVolumes&) -> net::Task<Requeue> { std::unreachable(); },
          [&](Submit& make) { return submitter_.submit(pod, record, std::move(make.request)); },
          [&](const Label& name) { return placer_.label(pod, record, name.job); },
          [&](const Bind& place) { return placer_.bind(pod, record, place); },
          [&](const CancelOwn& surplus) { return cancel_own(pod, record, surplus.job); },
          [&](const StartOver& again) { return placer_.start_over(pod, record, again); },
          [&](ReleaseUnlabelled& refused) {
            return placer_.release_unlabelled(pod, record, std::move(refused));
          },
          [&](ReleaseAndResubmit& back) {
            return placer_.release_and_resubmit(pod, record, std::move(back));
          },
      },
      step);
}

// A bind that the watch never shows is sent again.
net::Task<Requeue> Scheduler::nothing_to_do(std::shared_ptr<const Pod> pod, PodRecord& record) {
  if (record.bind_accepted_at) co_return Requeue::after(kBindShowsWithin);
  explainer_.recheck_when_block_ends(pod->metadata.key(), record);
  co_return Requeue::on_change();
}

net::Task<Requeue> Scheduler::cancel_own(std::shared_ptr<const Pod> pod,
                                         PodRecord& record,
                                         slurm::JobId job) {
  std::optional<OwnJob>& own =
      record.made && record.made->id == job ? record.made : record.returned;
  const bool done =
      co_await cancel_surplus_job(context_, cluster_, pod->metadata.key(), record.uid, *own);
  if (!done) co_return Requeue::after_backoff();
  own.reset();
  co_return Requeue::now();
}

}  // namespace bridge::scheduling
