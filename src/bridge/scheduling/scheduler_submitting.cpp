// SPDX-License-Identifier: Apache-2.0
// The scheduler's steps up to a job: looks for one, makes one, and keeps what it leaves out right.
#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/left_out.h"
#include "bridge/scheduling/scheduler.h"
#include "bridge/state/job_members.h"
#include "slurm/api/error_number.h"
#include "workload/job_annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using kube::Again;
using kube::Pod;
using namespace std::chrono_literals;

// Slurm's configuration may have changed.
constexpr auto kAskRefusedAgain = 60s;
// Others' jobs end all the time.
constexpr auto kAskAtALimitAgain = 10s;
// Nobody tells us of changes of volume claims.
constexpr auto kLookAtClaimsAgain = 10s;
// Changes of nodes end the wait of a pod that fits none (NodeVerdicts). Changes of its owners and
// of the default partition are seen by looking.
constexpr auto kLookAtUnfitAgain = 60s;

}  // namespace

net::Task<Again> Scheduler::look_for_job(std::shared_ptr<const Pod> pod, Memory& memory) {
  const base::Instant now = links_.loop.now();
  if (now < memory.look_since) co_return Again::after(memory.look_since - now);
  picture_.mirror().request_scan();
  const base::Instant since = memory.submits_fail_since.value_or(memory.first_seen);
  if (!picture_.mirror().healthy()) {
    co_await explain_if_it_lasts(
        pod,
        memory,
        {since,
         bridge::writes::explain(
             writes::Cause::slurm_away,
             "Slurm does not answer, and it may have a job for this pod already: no "
             "other one is made before that is known.")});
  }
  co_return Again::after(5s);  // the scan's end calls us earlier
}

net::Task<Again> Scheduler::submit(std::shared_ptr<const Pod> pod,
                                   Memory& memory,
                                   slurm::JobRequest request) {
  const kube::ObjectKey key = pod->metadata.key();
  const JobKind asks = kind_of(request);
  if (asks == memory.asked) {
    // Thousands may wait for one answer: whether it is still true is no reason to look at all
    // nodes.
    auto verdict = refused_.standing_verdict(memory.asked_with_nodes, key, links_.loop.now());
    if (verdict) {
      keep_refusal(memory, *std::move(verdict));
      co_return Again::now();
    }
  }
  if (!submit_line_.enter(key)) co_return Again::on_change();
  memory.asked = asks;
  co_await report_ignored_annotations(pod, memory);
  const Again again = co_await make_job(pod, memory, std::move(request));
  submit_line_.leave();
  co_return again;
}

void Scheduler::let_next_submit() {
  for (const kube::ObjectKey& key : submit_line_.call()) queue_.add(key);
}

void Scheduler::keep_refusal(Memory& memory, Error verdict) {
  memory.refusal = std::move(verdict);
  memory.refused_until = refused_.next_try(memory.asked_with_nodes).value_or(links_.loop.now());
}

// Who does not know Slurm's nodes cannot say which of them to leave out.
net::Task<Again> Scheduler::wait_for_nodes(std::shared_ptr<const Pod> pod, Memory& memory) {
  if (!memory.submits_fail_since) memory.submits_fail_since = links_.loop.now();
  co_await explain_if_it_lasts(
      pod,
      memory,
      {*memory.submits_fail_since,
       bridge::writes::explain(
           writes::Cause::slurm_away,
           "Slurm has not said yet which nodes it has; the pod is submitted then.")});
  co_return Again::after(kLookAgainAfter);
}

net::Task<Again> Scheduler::make_job(std::shared_ptr<const Pod> pod,
                                     Memory& memory,
                                     slurm::JobRequest request) {
  const std::string comment = request.admin_comment;
  if (request.required_nodes.empty()) {
    if (!choice_.ready()) co_return co_await wait_for_nodes(pod, memory);
    if (auto hindrance = co_await restrict_nodes(pod, memory, request)) {
      memory.hindrance = std::move(hindrance);
      memory.hindered_until = look_at_hindered_at(*pod, memory);
      co_return Again::now();
    }
    memory.hindrance.reset();
  }
  const bool names_nodes = !request.excluded_nodes.empty();
  const kube::ObjectKey key = pod->metadata.key();
  const JobKind kind = kind_of(request);
  if (memory.asked_with_nodes != kind) refused_.forget(memory.asked_with_nodes, key);
  memory.asked_with_nodes = kind;
  memory.refusal.reset();
  if (auto verdict = refused_.verdict(kind, key, links_.loop.now())) {
    keep_refusal(memory, *std::move(verdict));
    co_return Again::now();
  }
  const auto newest = picture_.mirror().newest_known();
  auto made =
      co_await links_.slurm.submit(std::move(request), links_.loop.in(runtime::kCallTimeout));
  if (!made.ok()) {
    if (names_nodes && made.error().code() == slurm::kInvalidNodeName) {
      // A node that we leave out was taken out of Slurm meanwhile: our list is old.
      picture_.slurm_nodes().hurry();
      refused_.no_answer(kind, links_.loop.now());
      co_return failed("submit", *pod, made.error());
    }
    co_return co_await submit_failed(pod, memory, std::move(made).error());
  }
  memory.made = OwnJob{*made, comment};
  memory.made_kind = kind;
  memory.submits_fail_since.reset();
  picture_.mirror().submitted(*made, comment);
  if (newest >= std::optional(*made)) picture_.mirror().ids_were_given_again();
  others_may_ask(kind, key);
  links_.tally.done("submit");
  links_.log.info("submitted", {{"pod", key.to_string()}, {"job", made->value()}});
  co_return Again::now();
}

// Slurm takes what it did not take before.
void Scheduler::others_may_ask(JobKind kind, const kube::ObjectKey& taken) {
  for (const kube::ObjectKey& key : refused_.taken(kind, taken)) {
    if (const auto other = memory_.find(key); other != memory_.end()) other->second.refusal.reset();
    queue_.add(key);
  }
}

net::Task<Again> Scheduler::submit_failed(std::shared_ptr<const Pod> pod,
                                          Memory& memory,
                                          Error error) {
  const base::Instant now = links_.loop.now();
  const writes::Cause cause = writes::cause_of_failed_submit(error);
  if (cause == writes::Cause::refused || cause == writes::Cause::limit_reached) {
    const base::Instant again =
        now + (cause == writes::Cause::refused ? kAskRefusedAgain : kAskAtALimitAgain);
    if (error.code() == slurm::kTextTooLong) {  // its name's, which is nobody else's
      refused_.no_answer(memory.asked_with_nodes, now);
      memory.hindrance = bridge::writes::explain(cause, error.message());
      memory.hindered_until = again;
    } else {
      refused_.refused(memory.asked_with_nodes, pod->metadata.key(), error, again);
      keep_refusal(memory, error);
    }
    links_.tally.failed("submit", error.kind());
    links_.log.info("not taken by Slurm",
                    {{"pod", pod->metadata.key().to_string()}, {"error", error}});
    co_return Again::now();
  }
  refused_.no_answer(memory.asked_with_nodes, now);
  // After anything else than these a job may have been made: find it before making another.
  const bool certainly_none = error.is(Kind::unreachable) || error.is(Kind::unavailable) ||
                              error.is(Kind::too_many) || error.is(Kind::unauthorized) ||
                              error.is(Kind::forbidden);
  if (!certainly_none) memory.look_since = links_.loop.in(kLostRequestsSettle);
  if (error.is(Kind::lost)) picture_.mirror().submit_was_lost();

  note_failed_step(links_, "submit", pod->metadata.key(), error);
  if (!memory.submits_fail_since) memory.submits_fail_since = now;
  co_await explain_if_it_lasts(
      pod, memory, {*memory.submits_fail_since, bridge::writes::explain(cause, error.message())});
  co_return Again::after_backoff(error);
}

net::Task<std::optional<writes::Explanation>> Scheduler::restrict_nodes(
    std::shared_ptr<const Pod> pod, Memory& memory, slurm::JobRequest& request) {
  auto out = co_await choice_.of(pod, request.partition, avoided(memory));
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
  request.comment = left_out_mark(verdict.excluded);
  request.excluded_nodes = verdict.excluded;
  co_return std::nullopt;
}

// When the pod is looked at again if no node changes before.
base::Instant Scheduler::look_at_hindered_at(const Pod& pod, const Memory& memory) const {
  base::Instant at = links_.loop.in(has_claims(pod) ? kLookAtClaimsAgain : kLookAtUnfitAgain);
  for (const auto& [node, avoided_until] : memory.avoid) at = std::min(at, avoided_until);
  return at;
}

// The nodes changed, and the pod was not submitted because no node could take it.
void Scheduler::a_node_may_fit(const kube::ObjectKey& key) {
  if (const auto known = memory_.find(key); known != memory_.end()) {
    Memory& memory = known->second;
    if (memory.hindrance && memory.hindrance->cause == writes::Cause::no_node_fits)
      memory.hindered_until = links_.loop.now();
  }
  queue_.add(key);
}

// Once per pod: an annotation without effect does not stop the pod, but its author should know.
// Admission warns of the pod's own; those of its owners are seen here only.
net::Task<void> Scheduler::report_ignored_annotations(std::shared_ptr<const Pod> pod,
                                                      Memory& memory) {
  if (std::exchange(memory.annotations_reported, true)) co_return;
  workload::Annotations annotations = pod->metadata.annotations;
  const auto owners = co_await owners_.of(*pod);
  if (owners.ok()) annotations.insert(owners->annotations.begin(), owners->annotations.end());
  std::vector<std::string> ignored;
  for (const auto& problem : workload::check_job_annotations(annotations)) {
    if (problem.weight == workload::AnnotationProblem::Weight::warning)
      ignored.push_back(problem.message);
  }
  if (ignored.empty()) co_return;
  links_.events.record({subject(*pod),
                        kube::Severity::warning,
                        "AnnotationIgnored",
                        fmt::format("{}", fmt::join(ignored, "; "))});
}

std::set<slurm::SlurmNodeName> Scheduler::avoided(Memory& memory) {
  std::erase_if(memory.avoid, [&](const auto& entry) { return entry.second <= links_.loop.now(); });
  std::set<slurm::SlurmNodeName> names;
  for (const auto& [name, until] : memory.avoid) names.insert(name);
  return names;
}

// The job was looked at while it waits: nodes may have come and gone since it was made, and a node
// that it leaves out without need is one that it waits for in vain.
net::Task<void> Scheduler::mend_left_out(slurm::Job job) {
  const std::set<kube::ObjectKey> pods = picture_.pods_of(job.id);
  if (pods.size() != 1 || !choice_.ready() || !links_.may_act()) co_return;
  // What suits one pod of a job says nothing about the others.
  if (state::listed_pods(job.admin_comment) != 1) co_return;
  const kube::ObjectKey key = *pods.begin();
  const auto pod = picture_.pods().find(key);
  const auto known = memory_.find(key);
  if (!pod || known == memory_.end() || pod->bound() || pod->metadata.deleting()) co_return;
  if (marks::named_job(*pod) != job.id || picture_.is_job_of(job.id, *pod) != true) co_return;
  // The id is another job's now.
  if (!marks::is_job_of(job.admin_comment, *pod, picture_.bridge()))
    co_return picture_.mirror().track_from_now(job.id);

  const auto out = co_await choice_.of(pod, job.partition, avoided(known->second));
  // That no node is left may pass again before Slurm has one to give.
  if (!out.ok() || (*out)->fits_none || !links_.may_act()) co_return;
  auto update = left_out_update(job, (*out)->excluded, picture_.slurm_nodes().names());
  if (!update) co_return;
  // The answer that woke us may be old: after a crash of slurmctld the id may be another job's.
  const auto now = co_await links_.slurm.identity(job.id, links_.loop.in(runtime::kCallTimeout));
  if (!now.ok() || !marks::is_job_of(now->admin_comment, *pod, picture_.bridge())) co_return;
  const auto done = co_await links_.slurm.update(
      job.id, *std::move(update), links_.loop.in(runtime::kCallTimeout));
  if (done.ok()) {
    links_.tally.done("mend nodes");
    links_.log.info("changed the nodes that a job leaves out",
                    {{"pod", key.to_string()}, {"job", job.id.value()}});
    co_return;
  }
  // It may have started meanwhile. And Slurm changes no list with a node that it has lost: then the
  // job keeps it.
  note_failed_step(links_, "mend nodes", key, done.error());
  if (done.error().code() == slurm::kInvalidNodeName) picture_.slurm_nodes().hurry();
}

}  // namespace bridge::scheduling
