// SPDX-License-Identifier: Apache-2.0
// The scheduler's steps up to a job: looks for one, makes one, and keeps what it leaves out right.
#include "bridge/left_out.h"
#include "bridge/named_job.h"
#include "bridge/scheduler.h"
#include "slurm/error_number.h"

#include <fmt/format.h>

#include <utility>

namespace bridge {
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
// Nodes and volumes may have changed so that one fits now; no more than a look is lost.
constexpr auto kLookAtHinderedAfter = 10s;

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
         bridge::explain(Cause::slurm_away,
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
       bridge::explain(Cause::slurm_away,
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
      memory.hindered_until = links_.loop.in(kLookAtHinderedAfter);
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
  auto made = co_await links_.slurm.submit(std::move(request), links_.loop.in(kCallTimeout));
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
  const Cause cause = cause_of_failed_submit(error);
  if (cause == Cause::refused || cause == Cause::limit_reached) {
    const base::Instant again =
        now + (cause == Cause::refused ? kAskRefusedAgain : kAskAtALimitAgain);
    if (error.code() == slurm::kTextTooLong) {  // its name's, which is nobody else's
      refused_.no_answer(memory.asked_with_nodes, now);
      memory.hindrance = bridge::explain(cause, error.message());
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
      pod, memory, {*memory.submits_fail_since, bridge::explain(cause, error.message())});
  co_return Again::after_backoff();
}

net::Task<std::optional<Explanation>> Scheduler::restrict_nodes(std::shared_ptr<const Pod> pod,
                                                                Memory& memory,
                                                                slurm::JobRequest& request) {
  auto out = co_await choice_.of(pod, request.partition, avoided(memory));
  if (!out.ok()) co_return bridge::explain(Cause::volumes_missing, out.error().message());
  if (out->left == 0 && !out->nodes.empty()) {
    co_return bridge::explain(Cause::no_node_fits,
                              fmt::format("No node can take this pod: {}.", out->words()));
  }
  request.comment = left_out_mark(out->nodes);
  request.excluded_nodes = std::move(out->nodes);
  co_return std::nullopt;
}

std::set<slurm::SlurmNodeName> Scheduler::avoided(Memory& memory) {
  std::erase_if(memory.avoid, [&](const auto& entry) { return entry.second < links_.loop.now(); });
  std::set<slurm::SlurmNodeName> names;
  for (const auto& [name, until] : memory.avoid) names.insert(name);
  return names;
}

// The job was looked at while it waits: nodes may have come and gone since it was made, and a node
// that it leaves out without need is one that it waits for in vain.
net::Task<void> Scheduler::mend_left_out(slurm::Job job) {
  const std::set<kube::ObjectKey> pods = picture_.pods_of(job.id);
  if (pods.size() != 1 || !choice_.ready() || !links_.may_act()) co_return;
  const kube::ObjectKey key = *pods.begin();
  const auto pod = picture_.pods().find(key);
  const auto known = memory_.find(key);
  if (!pod || known == memory_.end() || pod->bound() || pod->metadata.deleting()) co_return;
  if (named_job(*pod) != job.id || picture_.is_job_of(job.id, *pod) != true) co_return;

  const auto out = co_await choice_.of(pod, job.partition, avoided(known->second));
  // That no node is left may pass again before Slurm has one to give.
  if (!out.ok() || out->left == 0 || !links_.may_act()) co_return;
  auto update = left_out_update(job, out->nodes, picture_.slurm_nodes().names());
  if (!update) co_return;
  const auto done =
      co_await links_.slurm.update(job.id, *std::move(update), links_.loop.in(kCallTimeout));
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

}  // namespace bridge
