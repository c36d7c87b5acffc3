// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/submitter.h"

#include "bridge/scheduling/chosen_node.h"
#include "bridge/scheduling/excluded_nodes.h"
#include "bridge/scheduling/timing.h"
#include "slurm/api/error_number.h"
#include "workload/job_annotations.h"
#include "workload/node_fit.h"
#include "workload/pod_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using kube::Pod;
using kube::Requeue;
using namespace std::chrono_literals;

// Less than the concurrency of the pod queue: pods with a running job are bound while Slurm accepts
// jobs slowly.
constexpr std::size_t kSubmitsAtOnce = 32;

}  // namespace

Submitter::Submitter(const runtime::RoleContext& context, state::ClusterState& cluster, Parts parts)
    : context_(context),
      cluster_(cluster),
      explainer_(parts.explainer),
      owners_(parts.owners),
      queue_(parts.queue),
      record_of_(std::move(parts.record_of)),
      choice_(parts.choice),
      submit_queue_(kSubmitsAtOnce),
      device_classes_(context.loop, context.tasks, context.kube) {}

void Submitter::start() {
  choice_.verdicts().on_fit([this](const kube::ObjectKey& key) { node_may_fit(key); });
  context_.tasks.spawn("node verdicts", choice_.verdicts().run());
}

void Submitter::forget(const kube::ObjectKey& key, const PodRecord& record) {
  refused_.forget(record.asked_shape_with_nodes, key);
  choice_.verdicts().forget(key);
}

void Submitter::run_ended(const kube::ObjectKey& key, bool was_called) {
  if (was_called) submit_queue_.give_way(key);
  for (const kube::ObjectKey& next : submit_queue_.call()) queue_.add(next);
}

net::Task<Requeue> Submitter::look_for_job(std::shared_ptr<const Pod> pod, PodRecord& record) {
  const base::Instant now = context_.loop.now();
  if (now < record.scan_required_since) co_return Requeue::after(record.scan_required_since - now);
  cluster_.mirror().request_scan();
  const base::Instant since = record.submits_fail_since.value_or(record.first_seen);
  if (!cluster_.mirror().healthy()) {
    const auto& error = cluster_.mirror().last_error();
    co_await explainer_.persistent_failure(
        pod,
        record,
        {since,
         bridge::writes::explain(
             writes::Cause::slurm_unreachable,
             fmt::format("Slurm does not answer{}. Slurm may have a job for this pod already: no "
                         "other job is submitted before that is known.",
                         error ? ": " + error->message() : ""))});
  }
  co_return Requeue::after(5s);  // the end of the scan wakes the pod earlier
}

void Submitter::store_refusal(PodRecord& record, Error verdict) {
  record.refusal = std::move(verdict);
  record.refused_until =
      refused_.next_try(record.asked_shape_with_nodes).value_or(context_.loop.now());
}

// The excluded nodes of a job cannot be determined before Slurm's nodes are known.
net::Task<Requeue> Submitter::wait_for_nodes(std::shared_ptr<const Pod> pod, PodRecord& record) {
  if (!record.submits_fail_since) record.submits_fail_since = context_.loop.now();
  co_await explainer_.persistent_failure(
      pod,
      record,
      {*record.submits_fail_since,
       bridge::writes::explain(
           writes::Cause::slurm_unreachable,
           "Slurm has not said yet which nodes it has; the pod is submitted then.")});
  co_return Requeue::after(kRecheckAfter);
}

net::Task<Submitter::Preparation> Submitter::prepare(std::shared_ptr<const Pod> pod,
                                                     PodRecord& record,
                                                     slurm::JobRequest request) {
  const kube::ObjectKey key = pod->metadata.key();
  const RequestShape asks = shape_of(request);
  if (asks == record.asked) {
    // Thousands of pods may share one refusal. Checking it first saves an evaluation of all nodes.
    if (auto verdict = refused_.peek(record.asked_shape_with_nodes, key, context_.loop.now())) {
      store_refusal(record, *std::move(verdict));
      co_return Blocked{};
    }
  }
  if (!submit_queue_.enter(key)) co_return Requeue::on_change();
  SubmitQueue::Place place(submit_queue_);
  record.asked = asks;
  co_await report_ignored_annotations(pod, record);
  if (request.required_nodes.empty()) {
    if (!choice_.ready()) co_return co_await wait_for_nodes(pod, record);
    if (auto blocker = co_await restrict_nodes(pod, record, request)) {
      record.submit_blocker = std::move(blocker);
      record.blocked_until = blocked_pod_recheck_at(*pod, record);
      co_return Blocked{};
    }
    record.submit_blocker.reset();
  }
  const RequestShape shape = shape_of(request);
  if (record.asked_shape_with_nodes != shape) refused_.forget(record.asked_shape_with_nodes, key);
  record.asked_shape_with_nodes = shape;
  record.refusal.reset();
  if (auto verdict = refused_.verdict(shape, key, context_.loop.now())) {
    store_refusal(record, *std::move(verdict));
    co_return Blocked{};
  }
  co_return Prepared{std::move(request), std::move(place)};
}

net::Task<Requeue> Submitter::submit(std::shared_ptr<const Pod> pod,
                                     PodRecord& record,
                                     slurm::JobRequest request) {
  const kube::ObjectKey key = pod->metadata.key();
  const std::string comment = request.admin_comment;
  const bool names_nodes = !request.excluded_nodes.empty();
  const RequestShape shape = record.asked_shape_with_nodes;
  const auto newest = cluster_.mirror().newest_known();
  auto made =
      co_await context_.slurm.submit(std::move(request), context_.loop.in(runtime::kCallTimeout));
  if (!made.ok()) {
    if (names_nodes && made.error().code() == slurm::kInvalidNodeName) {
      // An excluded node was removed from Slurm, and the mirror of the nodes does not show it yet.
      cluster_.slurm_nodes().hurry();
      refused_.no_answer(shape, context_.loop.now());
      co_return explainer_.step_failed("submit", *pod, made.error());
    }
    co_return co_await submit_failed(pod, record, std::move(made).error());
  }
  record.made = OwnJob{*made, comment};
  record.made_shape = shape;
  record.submits_fail_since.reset();
  cluster_.mirror().submitted(*made, comment);
  if (newest >= std::optional(*made)) cluster_.mirror().ids_were_given_again();
  wake_pods_of_shape(shape, key);
  context_.steps.done("submit");
  context_.log.info("submitted", {{"pod", key.to_string()}, {"job", made->value()}});
  co_return Requeue::now();
}

// Slurm accepted a job of this shape: requeues the pods of the shape that may submit next.
void Submitter::wake_pods_of_shape(RequestShape shape, const kube::ObjectKey& taken) {
  for (const kube::ObjectKey& key : refused_.taken(shape, taken)) {
    if (PodRecord* other = record_of_(key)) other->refusal.reset();
    queue_.add(key);
  }
}

net::Task<Requeue> Submitter::submit_failed(std::shared_ptr<const Pod> pod,
                                            PodRecord& record,
                                            Error error) {
  const base::Instant now = context_.loop.now();
  const writes::Cause cause = writes::cause_of_failed_submit(error);
  if (cause == writes::Cause::refused || cause == writes::Cause::limit_reached) {
    const base::Instant again =
        now + (cause == writes::Cause::refused ? kRetryRefusedAfter : kRetryAtLimitAfter);
    if (error.code() == slurm::kTextTooLong) {  // caused by this pod's name, not by the shape
      refused_.no_answer(record.asked_shape_with_nodes, now);
      record.submit_blocker = bridge::writes::explain(cause, error.message());
      record.blocked_until = again;
    } else {
      refused_.refused(record.asked_shape_with_nodes, pod->metadata.key(), error, again);
      store_refusal(record, error);
    }
    context_.steps.failed("submit", error.kind());
    context_.log.info("not taken by Slurm",
                      {{"pod", pod->metadata.key().to_string()}, {"error", error}});
    co_return Requeue::now();
  }
  refused_.no_answer(record.asked_shape_with_nodes, now);
  // After any other error Slurm may have created a job: a scan is required before the next submit.
  const bool certainly_none = error.is(Kind::unreachable) || error.is(Kind::unavailable) ||
                              error.is(Kind::too_many) || error.is(Kind::unauthorized) ||
                              error.is(Kind::forbidden);
  if (!certainly_none) record.scan_required_since = context_.loop.in(kLostRequestSettles);
  if (error.is(Kind::lost)) cluster_.mirror().submit_was_lost();

  const Requeue again =
      step_failed(context_, "submit", runtime::step_object(pod->metadata.key()), error);
  if (!record.submits_fail_since) record.submits_fail_since = now;
  co_await explainer_.persistent_failure(
      pod, record, {*record.submits_fail_since, bridge::writes::explain(cause, error.message())});
  co_return again;
}

net::Task<std::optional<writes::Explanation>> Submitter::restrict_nodes(
    std::shared_ptr<const Pod> pod, PodRecord& record, slurm::JobRequest& request) {
  auto out = co_await choice_.of(
      pod, request.partition, record.avoided(context_.loop.now(), [&](const auto& name) {
        return is_unfit(cluster_, *pod, name);
      }));
  if (!out.ok())
    co_return bridge::writes::explain(writes::Cause::volumes_missing, out.error().message());
  const NodeVerdict& verdict = **out;
  if (verdict.fits_none) {
    const std::string devices = co_await device_classes_.explanation(*pod);
    co_return bridge::writes::explain(writes::Cause::no_node_fits,
                                      fmt::format("No node can take this pod: {}.{}{}",
                                                  verdict.why,
                                                  devices.empty() ? "" : " ",
                                                  devices));
  }
  request.comment = excluded_nodes_mark(verdict.excluded);
  request.excluded_nodes = verdict.excluded;
  co_return std::nullopt;
}

// When the pod is checked again if no node changes before.
base::Instant Submitter::blocked_pod_recheck_at(const Pod& pod, const PodRecord& record) const {
  base::Instant at = context_.loop.in(has_claims(pod) ? kRecheckClaimsAfter : kRecheckUnfitAfter);
  for (const auto& [name, node] : record.avoid) at = std::min(at, node.until);
  return at;
}

// The nodes changed, and a node may be able to run the pod.
void Submitter::node_may_fit(const kube::ObjectKey& key) {
  PodRecord* record = record_of_(key);
  if (record != nullptr && record->submit_blocker &&
      record->submit_blocker->cause == writes::Cause::no_node_fits)
    record->blocked_until = context_.loop.now();
  queue_.add(key);
}

// Records one Event per pod for annotations without effect; they do not prevent the submit.
// Admission warns of annotations of the pod; annotations of its owners are checked only here.
net::Task<void> Submitter::report_ignored_annotations(std::shared_ptr<const Pod> pod,
                                                      PodRecord& record) {
  if (std::exchange(record.annotations_reported, true)) co_return;
  workload::Annotations annotations = pod->metadata.annotations;
  const auto owners = co_await owners_.of(*pod);
  if (owners.ok()) annotations.insert(owners->annotations.begin(), owners->annotations.end());
  std::vector<std::string> ignored;
  for (const auto& problem : workload::check_job_annotations(annotations)) {
    if (problem.weight == workload::AnnotationProblem::Weight::warning)
      ignored.push_back(problem.message);
  }
  if (ignored.empty()) co_return;
  context_.events.record({subject(*pod),
                          kube::Severity::warning,
                          "AnnotationIgnored",
                          fmt::format("{}", fmt::join(ignored, "; "))});
}

}  // namespace bridge::scheduling
