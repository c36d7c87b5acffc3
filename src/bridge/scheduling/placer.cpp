// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/placer.h"

#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/chosen_node.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/scheduling/timing.h"
#include "bridge/writes/pod_patch.h"
#include "bridge/writes/pod_writes.h"
#include "workload/pod_resources.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bridge::scheduling {
namespace {

using base::Kind;
using kube::Pod;
using kube::Requeue;
using namespace std::chrono_literals;

// After a conflict or a lost answer the pod may be bound, by this request or by an earlier one that
// the watch has not shown. The pod is then counted on its node until the watch shows it unbound.
bool certainly_not_bound(const base::Error& error) {
  return error.is(Kind::unreachable) || error.is(Kind::too_many) || error.is(Kind::forbidden) ||
         error.is(Kind::unauthorized) || error.is(Kind::invalid) || error.is(Kind::refused);
}

}  // namespace

net::Task<Requeue> Placer::label(std::shared_ptr<const Pod> pod,
                                 PodRecord& record,
                                 slurm::JobId job) {
  const bool submitted_here = record.made && record.made->id == job;
  if (!submitted_here) {
    // The scan that found the job may be old: another instance may have cancelled the job, or
    // slurmctld came back with an older state. A pod whose named job was cancelled is deleted.
    const auto found =
        co_await context_.slurm.identity(job, context_.loop.in(runtime::kCallTimeout));
    if (!found.ok() && !found.error().is(Kind::not_found))
      co_return explainer_.step_failed("label", *pod, found.error());
    if (!found.ok() || !slurm::is_live(found->state) ||
        !marks::is_job_of(found->admin_comment, *pod, cluster_.bridge())) {
      cluster_.done_with(job);  // the next scan classifies it
      co_return Requeue::now();
    }
  }
  auto written = co_await writes::patch_pod(
      context_, cluster_, pod, {.body = writes::label_patch(*pod, job, context_.scheduler_name)});
  if (!written.ok())
    co_return co_await explainer_.write_failed("label", pod, record, written.error());
  record.write_refused.reset();
  if (submitted_here) record.made.reset();
  context_.steps.done("label");
  cluster_.mirror().hurry();
  co_return Requeue::now();
}

net::Task<Requeue> Placer::release_unlabelled(std::shared_ptr<const Pod> pod,
                                              PodRecord& record,
                                              ReleaseUnlabelled step) {
  const std::string* comment = cluster_.mirror().comment_of(step.job);
  if (comment == nullptr) co_return Requeue::after(kRecheckAfter);
  record.returned = OwnJob{step.job, *comment, submit_time_of(step.job)};
  record.made.reset();
  remember_released(record, step.job);
  record.delay_next_job(writes::Cause::write_refused, step.because, context_.loop.now());
  record.write_refused.reset();
  context_.log.info("releasing a job that cannot be written to its pod",
                    {{"pod", pod->metadata.key().to_string()}, {"job", step.job.value()}});
  co_return Requeue::now();
}

net::Task<Requeue> Placer::bind(std::shared_ptr<const Pod> pod, PodRecord& record, Bind step) {
  const kube::ObjectKey key = pod->metadata.key();
  kube::Binding binding{.node = step.node,
                        .uid = pod->metadata.uid,
                        .resource_version = pod->metadata.resourceVersion,
                        .annotations = {{workload::kNodeAnnotation, step.node.value()}}};
  // Counted before the request: another pod may be checked against this node before the watch shows
  // the bind.
  if (const auto requests = workload::pod_requests(*pod); requests.ok()) {
    cluster_.usage().set(pod->metadata.uid,
                         workload::Occupant{step.node, *requests, workload::Whose::ours});
  }
  auto bound = co_await context_.api<Pod>().bind(key, std::move(binding));
  if (!bound.ok()) {
    if (certainly_not_bound(bound.error())) cluster_.recount_usage(key, pod->metadata.uid);
    co_return co_await explainer_.write_failed("bind", pod, record, bound.error());
  }
  record.write_refused.reset();
  record.bind_accepted_at = context_.loop.now();
  context_.steps.done("bind");
  context_.log.info(
      "bound", {{"pod", key.to_string()}, {"node", step.node.value()}, {"job", step.job.value()}});
  co_return Requeue::after(kBindShowsWithin);
}

net::Task<std::variant<VolumeReadiness, Requeue>> Placer::prepare_volumes(
    std::shared_ptr<const Pod> pod, PodRecord& record, PrepareVolumes step) {
  const auto node = cluster_.nodes().find({"", step.node.value()});
  if (!node) co_return Requeue::after(kRecheckAfter);
  const auto prepared = co_await volumes_.prepare(*pod, *node);
  if (prepared.ok()) {
    VolumeReadiness readiness;
    // Read after the last suspension: another pod with the claim may have been bound meanwhile.
    readiness.in_use = claim_in_use(cluster_, *pod, prepared->for_one_pod);
    if (!prepared->ready)
      readiness.pending = fmt::format("its volumes are being made for node {}", step.node.value());
    co_return readiness;
  }
  if (prepared.error().is(Kind::conflict))
    co_return VolumeReadiness{.never = prepared.error().message(), .in_use = {}, .pending = {}};
  co_return co_await explainer_.write_failed("prepare volumes", pod, record, prepared.error());
}

// The pod will not run on these nodes: its volumes may be provisioned elsewhere.
net::Task<base::Result<void>> Placer::release_volumes(std::shared_ptr<const Pod> pod,
                                                      std::vector<slurm::SlurmNodeName> nodes) {
  if (!has_claims(*pod)) co_return base::Result<void>();
  for (const slurm::SlurmNodeName& name : nodes) {
    const auto node = cluster_.kubernetes_node(name);
    const auto released =
        co_await volumes_.release(*pod, node ? node->metadata.name : name.value());
    if (!released.ok()) co_return released.error();
  }
  co_return base::Result<void>();
}

net::Task<Requeue> Placer::start_over(std::shared_ptr<const Pod> pod,
                                      PodRecord& record,
                                      StartOver step) {
  if (const slurm::JobView* view = cluster_.mirror().find(*marks::named_job(*pod))) {
    const auto released = co_await release_volumes(pod, view->nodes);
    if (!released.ok()) co_return explainer_.step_failed("release volumes", *pod, released.error());
  }
  context_.log.info("making a new job",
                    {{"pod", pod->metadata.key().to_string()}, {"because", step.because}});
  auto written =
      co_await writes::patch_pod(context_, cluster_, pod, {.body = writes::unlabel_patch(*pod)});
  if (!written.ok())
    co_return co_await explainer_.write_failed("unlabel", pod, record, written.error());
  record.write_refused.reset();
  record.bind_accepted_at.reset();
  record.delay_next_job(step.cause, step.because, context_.loop.now());
  context_.steps.done("unlabel");
  co_return Requeue::now();
}

net::Task<Requeue> Placer::release_and_resubmit(std::shared_ptr<const Pod> pod,
                                                PodRecord& record,
                                                ReleaseAndResubmit step) {
  const std::string* comment = cluster_.mirror().comment_of(step.job);
  if (comment == nullptr) co_return Requeue::after(kRecheckAfter);
  OwnJob own{step.job, *comment, submit_time_of(step.job)};
  const auto released = co_await release_volumes(pod, {step.node});
  if (!released.ok()) co_return explainer_.step_failed("release volumes", *pod, released.error());
  // The label is removed before the cancel: the controllers role deletes a pod whose named job was
  // cancelled.
  auto written =
      co_await writes::patch_pod(context_, cluster_, pod, {.body = writes::unlabel_patch(*pod)});
  if (!written.ok())
    co_return co_await explainer_.write_failed("give back", pod, record, written.error());
  record.write_refused.reset();
  record.returned = std::move(own);
  remember_released(record, step.job);
  const bool blames_node = step.cause == writes::Cause::node_never;
  if (blames_node)
    record.avoid[step.node] = {context_.loop.in(kAvoidFor), is_unfit(cluster_, *pod, step.node)};
  record.held_since.reset();
  record.delay_next_job(step.cause, step.because, context_.loop.now());
  context_.steps.done("give back");
  context_.log.info("releasing the job",
                    {{"pod", pod->metadata.key().to_string()},
                     {"job", step.job.value()},
                     {"because", step.because}});
  context_.events.record(
      {subject(*pod),
       kube::Severity::warning,
       "NodeGivenBack",
       fmt::format("Slurm job {} on {} is given back, and another one is made{}: "
                   "{}",
                   step.job,
                   step.node,
                   blames_node ? " without that node" : "",
                   step.because)});
  co_return Requeue::now();
}

std::optional<base::WallTime> Placer::submit_time_of(slurm::JobId job) const {
  const slurm::JobIdentityRecord* record = cluster_.mirror().identity_record_of(job);
  return record == nullptr ? std::nullopt : record->submit_time;
}

void Placer::remember_released(PodRecord& record, slurm::JobId job) {
  record.remember_released(job, context_.loop.now(), [this](slurm::JobId other) {
    return cluster_.mirror().ours().contains(other);
  });
}

}  // namespace bridge::scheduling
