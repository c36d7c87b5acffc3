// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/placer.h"

#include "bridge/marks/named_job.h"
#include "bridge/scheduling/chosen_node.h"
#include "bridge/scheduling/fresh.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/state/job_members.h"
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
using kube::Again;
using kube::Pod;
using namespace std::chrono_literals;

// A node that could not take a pod is tried again after this.
constexpr auto kAvoidFor = 10min;

// After a conflict or a lost answer the pod may be bound, by this request or an earlier one that
// the watch has not shown: it counts on its node until the watch says otherwise.
bool certainly_not_bound(const base::Error& error) {
  return error.is(Kind::unreachable) || error.is(Kind::too_many) || error.is(Kind::forbidden) ||
         error.is(Kind::unauthorized) || error.is(Kind::invalid) || error.is(Kind::refused);
}

}  // namespace

net::Task<Again> Placer::label(std::shared_ptr<const Pod> pod,
                               PodRecord& record,
                               slurm::JobId job) {
  auto written = co_await writes::patch_pod(
      context_, cluster_, pod, {.body = writes::label_patch(*pod, job, context_.scheduler_name)});
  if (!written.ok()) {
    const Again again = co_await explainer_.write_failed("label", pod, record, written.error());
    release_unlabelled_job(*pod, record, job);
    co_return record.returned ? Again::now() : again;
  }
  record.write_refused.reset();
  if (record.made && record.made->id == job) record.made.reset();
  context_.steps.done("label");
  cluster_.mirror().hurry();
  co_return Again::now();
}

// Its job runs for nothing while the API server does not let us name it on the pod.
void Placer::release_unlabelled_job(const Pod& pod, PodRecord& record, slurm::JobId job) {
  const slurm::JobView* view = cluster_.mirror().find(job);
  const std::string* comment = cluster_.mirror().comment_of(job);
  if (view == nullptr || !view->known(slurm::JobState::running) || comment == nullptr) return;
  if (pod.bound() || marks::named_job(pod) == job || !explainer_.write_refused_past_hold(record))
    return;
  record.returned = OwnJob{job, *comment};
  record.made.reset();
  remember_released(record, job);
  record.delay_next_job(
      writes::Cause::write_refused, record.write_refused->message, context_.loop.now());
  record.write_refused.reset();
}

net::Task<Again> Placer::bind(std::shared_ptr<const Pod> pod, PodRecord& record, Bind step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (has_claims(*pod)) {
    auto waits = co_await volume_blocker(pod, record, step);
    if (waits) co_return *waits;
    if (!context_.may_act() || !node_still_suits(*pod, step)) co_return Again::now();
  }
  json::Object body = kube::binding(key,
                                    {pod->metadata.uid, pod->metadata.resourceVersion},
                                    step.node,
                                    json::Object{{workload::kNodeAnnotation, step.node.value()}});
  // Counted at once: the next pod for this node may be looked at before the watch shows this one.
  if (const auto requests = workload::pod_requests(*pod); requests.ok()) {
    cluster_.usage().set(pod->metadata.uid,
                         workload::Occupant{step.node, *requests, workload::Whose::ours});
  }
  auto bound = co_await context_.kube.post(kube::object_path(kube::kPods, key, "binding"),
                                           std::move(body),
                                           context_.loop.in(runtime::kCallTimeout));
  if (!bound.ok()) {
    if (certainly_not_bound(bound.error())) cluster_.recount_usage(key, pod->metadata.uid);
    co_return co_await explainer_.write_failed("bind", pod, record, bound.error());
  }
  record.write_refused.reset();
  record.bind_accepted_at = context_.loop.now();
  context_.steps.done("bind");
  context_.log.info(
      "bound", {{"pod", key.to_string()}, {"node", step.node.value()}, {"job", step.job.value()}});
  co_return Again::after(kBindShowsWithin);
}

// While we asked about volumes the job may have ended, and others may have taken the room.
bool Placer::node_still_suits(const Pod& pod, const Bind& step) {
  const slurm::JobView* view = cluster_.mirror().find(step.job);
  if (view == nullptr || !view->known(slurm::JobState::running)) return false;
  if (!is_fresh(*view, context_.loop.now())) return false;
  if (node_for(cluster_, pod, step.job) != step.node) return false;
  const ChosenNodeCheck check = check_chosen_node(cluster_, pod, step.node);
  return !check.never && !check.not_now;
}

// Empty when the pod can be bound to that node as far as its volumes are concerned.
net::Task<std::optional<Again>> Placer::volume_blocker(std::shared_ptr<const Pod> pod,
                                                       PodRecord& record,
                                                       Bind step) {
  const auto node = cluster_.nodes().find({"", step.node.value()});
  if (!node) co_return Again::after(kRecheckAfter);
  const auto prepared = co_await volumes_.prepare(*pod, *node);
  const slurm::JobView* view = cluster_.mirror().find(step.job);
  std::optional<std::string> taken;
  // Read without a wait: the next bind may take it.
  if (prepared.ok()) taken = claim_in_use(cluster_, *pod, prepared->for_one_pod);
  if (prepared.ok() && prepared->ready && !taken) co_return std::nullopt;
  const bool never = !prepared.ok() && prepared.error().is(Kind::conflict);
  if (!prepared.ok() && !never)
    co_return co_await explainer_.write_failed("prepare volumes", pod, record, prepared.error());
  // A claim that another pod has is not the node's fault.
  const writes::Cause cause = taken ? writes::Cause::volumes_missing : writes::Cause::node_never;
  std::string message =
      never   ? prepared.error().message()
      : taken ? *std::move(taken)
              : fmt::format("its volumes are being made for node {}", step.node.value());
  const bool too_long =
      record.held_since && *record.held_since + context_.live.hold <= context_.loop.now();
  if (never || too_long) {
    if (view == nullptr || view->nodes.empty()) co_return Again::after(kRecheckAfter);
    co_return co_await release_and_resubmit(
        pod, record, {step.job, cluster_.slurm_name(step.node.value()), std::move(message), cause});
  }
  co_return co_await explainer_.wait(
      pod, record, bridge::writes::explain(writes::Cause::volumes_pending, std::move(message)));
}

// The pod leaves the nodes that Slurm had for it: its volumes may be made elsewhere.
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

net::Task<Again> Placer::start_over(std::shared_ptr<const Pod> pod,
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
  record.delay_next_job(writes::Cause::job_ended, step.because, context_.loop.now());
  context_.steps.done("unlabel");
  co_return Again::now();
}

net::Task<Again> Placer::release_and_resubmit(std::shared_ptr<const Pod> pod,
                                              PodRecord& record,
                                              ReleaseAndResubmit step) {
  const std::string* comment = cluster_.mirror().comment_of(step.job);
  if (comment == nullptr) co_return Again::after(kRecheckAfter);
  OwnJob own{step.job, *comment};
  const auto released = co_await release_volumes(pod, {step.node});
  if (!released.ok()) co_return explainer_.step_failed("release volumes", *pod, released.error());
  // Off the pod first: a pod that names a cancelled job is one that nobody wants any more.
  auto written =
      co_await writes::patch_pod(context_, cluster_, pod, {.body = writes::unlabel_patch(*pod)});
  if (!written.ok()) {
    // It may be off the pod, and then nothing follows the job: find it before making another.
    record.scan_required_since = context_.loop.in(kLostRequestSettles);
    co_return co_await explainer_.write_failed("give back", pod, record, written.error());
  }
  record.write_refused.reset();
  record.returned = std::move(own);
  remember_released(record, step.job);
  const bool blames_node = step.cause == writes::Cause::node_never;
  if (blames_node) record.avoid[step.node] = context_.loop.in(kAvoidFor);
  record.held_since.reset();
  record.delay_next_job(step.cause, step.because, context_.loop.now());
  context_.steps.done("give back");
  context_.log.info("giving the job back",
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
  co_return Again::now();
}

void Placer::remember_released(PodRecord& record, slurm::JobId job) {
  record.remember_released(job, context_.loop.now(), [this](slurm::JobId other) {
    return cluster_.mirror().ours().contains(other);
  });
}

}  // namespace bridge::scheduling
