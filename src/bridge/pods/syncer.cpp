// SPDX-License-Identifier: Apache-2.0
#include "bridge/pods/syncer.h"

#include "base/rfc3339.h"
#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/pods/timing.h"
#include "bridge/state/job_members.h"
#include "bridge/state/node_availability.h"
#include "bridge/state/reused_job_id.h"
#include "bridge/writes/cancel.h"
#include "bridge/writes/pod_patch.h"
#include "bridge/writes/pod_writes.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <utility>

namespace bridge::pods {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::Pod;
using kube::Requeue;
using namespace std::chrono_literals;

constexpr const char* kDoubt = "UnknownToSlurm";

// The pod should have ended by now: its grace period ends at deletionTimestamp.
bool time_is_up(const Pod& pod, base::WallTime now) {
  const auto until = base::parse_rfc3339(*pod.metadata.deletionTimestamp);
  return until.ok() && *until <= now;
}

std::string doubt_text(slurm::JobId job) {
  return fmt::format(
      "Slurm does not know job {} any more and nothing proves that it ended, so this pod is left "
      "alone. If Slurm lost its jobs, annotate the pod with {}=true to reserve its node again.",
      job,
      workload::kReserveAgainAnnotation);
}

// Empty while Slurm's answers are not sufficient: the pod's condition then stays as it is.
std::optional<writes::JobShown> job_shown(const SyncFacts& facts) {
  if (is_in_doubt(facts))
    return facts.around.loss == state::StateLoss::widespread ? writes::JobShown::lost
                                                             : writes::JobShown::unknown;
  const bool known =
      facts.view != nullptr && facts.view->knowledge == slurm::JobView::Knowledge::known;
  if (known && facts.named_is_ours.value_or(false)) return writes::JobShown::known;
  return std::nullopt;
}

}  // namespace

PodSyncer::PodSyncer(runtime::RoleContext context,
                     state::ClusterState& cluster,
                     const state::StateLossDetector& losses,
                     std::size_t workers)
    : context_(std::move(context)),
      cluster_(cluster),
      losses_(losses),
      queue_(context_.loop, context_.tasks, workers, [this](kube::ObjectKey key) {
        return reconcile(std::move(key));
      }) {}

void PodSyncer::start() {
  cluster_.on_pod([this](const kube::ObjectKey& key) { queue_.add(key); });
  cluster_.mirror().on_recovery([this] { queue_.retry_failed(); });
}

net::Task<Requeue> PodSyncer::reconcile(kube::ObjectKey key) {
  const auto pod = cluster_.pods().find(key);
  if (!pod || pod->spec.schedulerName != context_.scheduler_name) {
    records_.erase(key);
    in_doubt_.erase(key);
    co_return Requeue::on_change();
  }
  PodRecord& record = records_[key];
  if (record.uid != pod->metadata.uid) record = PodRecord(pod->metadata.uid);

  const SyncFacts facts = facts_of(*pod, record);
  SyncStep step = next_sync_step(facts);
  if (is_in_doubt(facts)) {
    in_doubt_.insert(key);
  } else {
    in_doubt_.erase(key);
  }
  if (!context_.may_act()) co_return Requeue::on_change();
  if (auto* remove_it = std::get_if<Remove>(&step))
    co_return co_await remove(pod, std::move(*remove_it));
  if (auto* release_it = std::get_if<Release>(&step)) co_return co_await release(pod, *release_it);
  co_return co_await keep(pod, facts);
}

SyncFacts PodSyncer::facts_of(const Pod& pod, PodRecord& record) {
  SyncFacts facts(pod);
  facts.named = marks::named_job(pod);
  if (facts.named) {
    facts.named_is_ours = cluster_.is_job_of(*facts.named, pod);
    facts.view = cluster_.mirror().find(*facts.named);
    facts.job_id_was_reused = facts.named_is_ours == false && job_id_was_reused(*facts.named, pod);
    // The evidence is expensive, because it needs many other jobs, and few pods need it.
    if (facts.job_id_was_reused || state::is_unknown_to_slurm(facts.view)) {
      facts.around = losses_.evidence_for(pod);
      facts.accounted = record.accounted;
      if (!record.absent_since) record.absent_since = context_.loop.now();
    } else if (facts.named_is_ours.value_or(false)) {
      record.absent_since.reset();
    }
  }
  if (!pod.bound()) return facts;
  if (facts.view != nullptr && facts.view->placed())
    facts.has_its_node = cluster_.is_among(pod, facts.view->nodes);
  const std::string* comment = facts.named ? cluster_.mirror().comment_of(*facts.named) : nullptr;
  facts.is_only_pod = comment != nullptr && state::listed_pods(*comment) == 1;
  const bool moved = has_moved(facts) && !marks::asks_to_reserve_again(pod);
  if (!moved) record.moved_since.reset();
  if (moved && !record.moved_since) record.moved_since = context_.loop.now();
  facts.lost_node_for_good = moved && *record.moved_since + kMovedForGood <= context_.loop.now();
  // A kubelet that is only late still stops the pod within its grace period.
  if (pod.metadata.deleting() && time_is_up(pod, context_.loop.clock().wall())) {
    facts.node_is_dead = state::node_is_dead(cluster_, pod.spec.nodeName);
    const slurm::JobView* its_own = facts.named_is_ours.value_or(false) ? facts.view : nullptr;
    facts.node_is_drained =
        facts.node_is_dead && state::is_unavailable_in_slurm(cluster_, pod.spec.nodeName, its_own);
  }
  return facts;
}

// Reports whether Slurm knows the job of the pod, reads accounting for a pod in doubt, and returns
// when to run again.
net::Task<Requeue> PodSyncer::keep(std::shared_ptr<const Pod> pod, const SyncFacts& facts) {
  Requeue again = Requeue::on_change();
  // No event reports new evidence from other jobs, or that the pod's node was drained in Slurm.
  const bool ending = pod->bound() && pod->metadata.deleting() && !pod->ended();
  if (facts.job_id_was_reused || state::is_unknown_to_slurm(facts.view) || ending)
    again = Requeue::after(kLookForProof);
  if (has_moved(facts)) again = Requeue::after(kMovedForGood);
  const std::optional<slurm::JobId> job = facts.named;
  const bool doubt = is_in_doubt(facts);
  const std::optional<writes::JobShown> word = job_shown(facts);
  if (doubt) {
    const bool news = co_await ask_accounting(pod, *job);
    if (news) co_return Requeue::now();
  }
  const auto patch =
      word ? job_known_patch(*pod, *word, context_.loop.clock().wall()) : std::nullopt;
  if (patch) {
    if (doubt && !std::exchange(records_[pod->metadata.key()].doubt_reported, true))
      context_.events.record({subject(*pod), kube::Severity::warning, kDoubt, doubt_text(*job)});
    const auto shown = co_await show(pod, *patch);
    if (!shown.ok()) co_return failed("show doubt", *pod, shown.error());
  }
  if (!doubt) records_[pod->metadata.key()].doubt_reported = false;
  co_return again;
}

net::Task<bool> PodSyncer::ask_accounting(std::shared_ptr<const Pod> pod, slurm::JobId job) {
  const kube::ObjectKey key = pod->metadata.key();
  PodRecord& record = records_[key];
  const base::Instant now = context_.loop.now();
  if (record.accounting_asked && now < *record.accounting_asked + kAskAccountingAgain)
    co_return false;
  record.accounting_asked = now;
  const auto jobs = co_await context_.slurm.accounted(job, context_.loop.in(runtime::kCallTimeout));
  if (!jobs.ok()) {
    context_.log.debug("accounting cannot be asked", {{"job", job}, {"error", jobs.error()}});
    co_return false;
  }
  context_.log.debug("asked accounting", {{"job", job}, {"records", jobs->size()}});
  for (const slurm::AccountedJob& accounted : *jobs) {
    if (!marks::is_job_of(accounted.admin_comment, *pod, cluster_.bridge())) continue;
    records_[key].accounted = state::accounted_end(job, accounted.state);
    co_return records_[key].accounted.has_value();
  }
  co_return false;
}

bool PodSyncer::job_id_was_reused(slurm::JobId job, const Pod& pod) const {
  // The owners may set another job name, and they are not read here.
  if (workload::controller_of(pod.metadata) != nullptr)
    return state::job_id_was_reused(cluster_, job, pod);
  const auto request = workload::job_of_pod(pod, cluster_.bridge(), context_.live.defaults);
  return request.ok() && state::job_id_was_reused(cluster_, job, pod, request->name);
}

net::Task<Result<bool>> PodSyncer::still_so(std::shared_ptr<const Pod> pod,
                                            state::JobEnded because) {
  switch (because.by) {
    case state::JobEnded::By::state: return has_the_state(std::move(pod), because.job);
    case state::JobEnded::By::accounting: return is_absent(std::move(pod), because.job);
    case state::JobEnded::By::absence: return still_absent(std::move(pod), because.job);
  }
  std::unreachable();
}

// Whether the job is unknown to Slurm or its id was reused.
net::Task<Result<bool>> PodSyncer::is_absent(std::shared_ptr<const Pod> pod, slurm::JobId job) {
  const auto now = co_await context_.slurm.identity(job, context_.loop.in(runtime::kCallTimeout));
  if (now.ok()) {
    const bool its_own = marks::is_job_of(now->admin_comment, *pod, cluster_.bridge());
    co_return !its_own && job_id_was_reused(job, *pod);
  }
  if (now.error().is(Kind::not_found)) co_return true;
  co_return now.error();
}

// Whether Slurm still has the job with the identity and submit time that the mirror recorded.
net::Task<Result<bool>> PodSyncer::is_still_known(slurm::JobId job) {
  const slurm::JobIdentityRecord* described = cluster_.mirror().identity_record_of(job);
  if (described == nullptr) co_return false;
  const slurm::JobIdentityRecord before = *described;
  const auto now = co_await context_.slurm.identity(job, context_.loop.in(runtime::kCallTimeout));
  if (now.ok())
    co_return now->admin_comment == before.admin_comment && now->submit_time == before.submit_time;
  if (now.error().is(Kind::not_found)) co_return false;
  co_return now.error();
}

// Whether the job is still unknown to Slurm although Slurm knows the witness. The job is requested
// before and after the witness: slurmctld may restart with another state in between, and then the
// answer about the witness proves nothing about the job.
net::Task<Result<bool>> PodSyncer::still_absent(std::shared_ptr<const Pod> pod, slurm::JobId job) {
  const auto older = losses_.evidence_for(*pod).older_job;
  CO_TRY(const bool before, co_await is_absent(pod, job));
  if (!before) co_return false;
  if (older) {
    CO_TRY(const bool known, co_await is_still_known(*older));
    if (!known) co_return false;
    CO_TRY(const bool after, co_await is_absent(pod, job));
    if (!after) co_return false;
  }
  // The cluster state may have changed meanwhile.
  const SyncStep step = next_sync_step(facts_of(*pod, records_[pod->metadata.key()]));
  co_return std::holds_alternative<Remove>(step);
}

bool PodSyncer::absence_has_lasted(const PodRecord& record) const {
  return record.absent_since && *record.absent_since + kAbsentLongEnough <= context_.loop.now();
}

// Whether Slurm still reports an end of the pod's job, or that the job does not hold the pod's
// node. The cluster state may describe another job, if slurmctld crashed and issued the id again.
net::Task<Result<bool>> PodSyncer::has_the_state(std::shared_ptr<const Pod> pod, slurm::JobId job) {
  const auto now = co_await context_.slurm.identity(job, context_.loop.in(runtime::kCallTimeout));
  if (!now.ok()) {
    if (now.error().is(Kind::not_found)) co_return false;
    co_return now.error();
  }
  slurm::JobView view;
  view.knowledge = slurm::JobView::Knowledge::known;
  view.state = now->state;
  view.nodes = now->nodes;
  // A state that the bridge does not recognize is no end.
  const bool ended = state::job_ended(job, &view, {}).has_value();
  const bool taken =
      pod->bound() &&
      state::node_taken(job, view, cluster_.is_among(*pod, view.nodes).value_or(true)).has_value();
  co_return (ended || taken) && marks::is_job_of(now->admin_comment, *pod, cluster_.bridge());
}

net::Task<Requeue> PodSyncer::remove(std::shared_ptr<const Pod> pod, Remove step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (step.because.by == state::JobEnded::By::absence && !absence_has_lasted(records_[key])) {
    const bool news = co_await ask_accounting(pod, step.because.job);
    co_return news ? Requeue::now() : Requeue::after(kLookForProof);
  }
  const auto still = co_await still_so(pod, step.because);
  if (!still.ok()) co_return failed("confirm the end", *pod, still.error());
  if (!*still) {
    records_[key].accounted.reset();
    cluster_.mirror().track_from_now(step.because.job);
    co_return Requeue::after(1s);
  }
  context_.log.info("removing pod",
                    {{"pod", key.to_string()}, {"because", step.because.statement}});
  auto marked = co_await mark_disrupted(pod, step.because);
  if (!marked.ok()) co_return failed("mark", *pod, marked.error());
  kube::DeleteOptions this_version;
  this_version.uid = pod->metadata.uid;
  this_version.resource_version = (*marked)->metadata.resourceVersion;
  auto deleting = co_await context_.api<Pod>().remove(key, std::move(this_version));
  if (!deleting.ok()) co_return failed("remove", *pod, deleting.error());
  context_.steps.done("remove");
  context_.events.record(
      {subject(*pod), kube::Severity::warning, "RemovedBySlurm", step.because.statement});
  if (*deleting) cluster_.pods().written(**std::move(deleting));
  co_return Requeue::on_change();
}

// Sets the condition DisruptionTarget before the delete, because a Job's podFailurePolicy reads it
// from the failed pod, and returns the patched pod. If the patch is forbidden, returns the pod
// unchanged.
net::Task<Result<std::shared_ptr<const Pod>>> PodSyncer::mark_disrupted(
    std::shared_ptr<const Pod> pod, state::JobEnded because) {
  const auto patch = writes::disruption_patch(*pod, because, context_.loop.clock().wall());
  if (!patch || !pod->bound()) co_return pod;
  const auto shown = co_await show(pod, *patch);
  if (!shown.ok()) co_return shown.error();
  if (!*shown) co_return pod;
  const auto now = cluster_.pods().find(pod->metadata.key());
  if (!now || now->metadata.uid != pod->metadata.uid)
    co_return Error(Kind::not_found, "the pod is gone");
  co_return now;
}

net::Task<Result<bool>> PodSyncer::show(std::shared_ptr<const Pod> pod, json::Object patch) {
  if (context_.loop.now() < status_forbidden_until_) co_return false;
  const auto written = co_await writes::patch_pod(
      context_, cluster_, pod, {kube::PatchType::strategic, std::move(patch), "status"});
  if (written.ok()) co_return true;
  if (!written.error().is(Kind::forbidden)) co_return written.error();
  const bool first = status_forbidden_until_ == base::Instant::min();
  status_forbidden_until_ = context_.loop.in(kTryForbiddenAgain);
  if (first)
    context_.log.warn(
        "may not patch pods/status: pods go without the condition DisruptionTarget, so that a Job "
        "cannot tell an end that Slurm caused from a failure; grant this account patch on "
        "pods/status (deploy/rbac.yaml)",
        {{"error", written.error()}});
  co_return false;
}

net::Task<Result<std::optional<bool>>> PodSyncer::cancel_unless_shared(
    std::shared_ptr<const Pod> pod, slurm::JobId job) {
  state::Stake others = state::Stake::none;
  const writes::JobMatches is_its_own = [&](const slurm::JobIdentity& now) {
    if (!marks::is_job_of(now.admin_comment, *pod, cluster_.bridge())) return false;
    others = stake_of_others(cluster_, job, now.admin_comment, pod->metadata.uid);
    return others == state::Stake::none;
  };
  const auto cancelled = co_await writes::cancel_if(
      context_.slurm, job, is_its_own, context_.loop.in(runtime::kCallTimeout));
  if (!cancelled.ok()) co_return cancelled.error();
  if (others == state::Stake::holds) co_return std::optional<bool>();
  co_return std::optional(others == state::Stake::none);
}

net::Task<Requeue> PodSyncer::release(std::shared_ptr<const Pod> pod, Release step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (step.job) {
    // The job is already being cancelled on behalf of another pod: it is cancelled once.
    if (!releasing_.insert(*step.job).second) co_return Requeue::after(kCancelledWithin);
    const auto free = co_await cancel_unless_shared(pod, *step.job);
    releasing_.erase(*step.job);
    if (!free.ok()) co_return failed("release", *pod, free.error());
    if (!*free) co_return Requeue::after(kLookForProof);
    const bool released = **free;
    if (released) context_.steps.done("release");
    context_.log.info(released ? "released job" : "let go of pod: other pods have its job",
                      {{"pod", key.to_string()}, {"job", *step.job}});
    if (released) cluster_.mirror().hurry();
  }
  const auto written = co_await writes::patch_pod(
      context_, cluster_, pod, {kube::PatchType::json, writes::unfinalize_patch(*pod)});
  if (!written.ok()) co_return failed("finalize", *pod, written.error());
  context_.steps.done("finalize");
  co_return Requeue::on_change();
}

Requeue PodSyncer::failed(std::string_view what, const Pod& pod, const Error& error) {
  if (error.is(Kind::not_found)) return Requeue::on_change();  // the object does not exist any more
  return step_failed(context_, what, runtime::step_object(pod.metadata.key()), error);
}

}  // namespace bridge::pods
