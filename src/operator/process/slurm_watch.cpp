// SPDX-License-Identifier: Apache-2.0
#include "operator/process/slurm_watch.h"

#include "net/async/task_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace slurmop::process {
namespace {

using base::Instant;
using base::Result;

slurm::NodeMirrorOptions mirror_options(const SlurmWatchTiming& timing) {
  slurm::NodeMirrorOptions options;
  options.quiet_interval = std::chrono::seconds(5);
  options.backoff = {std::chrono::milliseconds(500), std::chrono::seconds(5)};
  options.call_timeout = timing.call;
  return options;
}

bool is_same(const slurm::Partition& a, const slurm::Partition& b) {
  return std::tie(a.name, a.up, a.is_default, a.nodes) ==
         std::tie(b.name, b.up, b.is_default, b.nodes);
}

bool is_same(const workers::RunningJob& a, const workers::RunningJob& b) {
  return std::tie(a.id, a.nodes, a.started, a.ends) == std::tie(b.id, b.nodes, b.started, b.ends);
}

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return is_same(x, y); });
}

std::vector<workers::RunningJob> converted(std::vector<slurm::RunningJob> jobs) {
  std::vector<workers::RunningJob> result;
  for (const slurm::RunningJob& job : jobs) {
    workers::RunningJob one{job.id, {}, job.started, job.ends};
    for (const slurm::SlurmNodeName& node : job.nodes) one.nodes.push_back(node.value());
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

SlurmWatch::SlurmWatch(const LinkContext& context, kube::ObjectKey cluster, SlurmWatchTiming timing)
    : loop_(context.access.loop),
      timing_(timing),
      token_(context.access, context.stores, cluster),
      transport_(
          context.endpoints,
          [&endpoints = context.endpoints, cluster] { return endpoints.slurmrestd(cluster); },
          "the Service of slurmrestd"),
      client_(loop_, transport_, token_.source()),
      nodes_(loop_,
             client_,
             mirror_options(timing),
             [this] { return wants_jobs_ || changes_expected_; }),
      wake_(loop_) {
  nodes_.on_change([this](const slurm::SlurmNodeName&) { report(); });
  nodes_.on_answer([this] { nodes_answered(); });
}

void SlurmWatch::report() const {
  if (changed_) changed_();
}

// --- contact

void SlurmWatch::note_problem(std::string problem) {
  const bool is_first = !std::exchange(has_tried_, true);
  const bool is_new = std::exchange(problem_, std::move(problem)) != problem_;
  if (is_first || (is_new && !was_known_)) report();
}

net::Task<Result<void>> SlurmWatch::try_contact() {
  CO_TRY_VOID(co_await token_.refresh());
  CO_TRY_VOID(co_await client_.discover(loop_.in(timing_.call)));
  co_return Result<void>();
}

net::Task<bool> SlurmWatch::make_contact() {
  for (;;) {
    const auto outcome = co_await try_contact();
    if (outcome.ok()) {
      problem_.clear();
      contacted_ = true;
      co_return true;
    }
    note_problem(outcome.error().message());
    if (!(co_await loop_.sleep_for(timing_.contact)).ok()) co_return false;
  }
}

// The key may be replaced, and slurmrestd by one of another release.
net::Task<void> SlurmWatch::keep_contact() {
  constexpr int kNotFound = 404;
  for (;;) {
    if (!(co_await loop_.sleep_for(timing_.renewal)).ok()) co_return;
    (void)co_await token_.refresh();
    const auto& error = nodes_.last_error();
    if (error && error->status() == kNotFound)
      (void)co_await client_.discover(loop_.in(timing_.call));
  }
}

net::Task<void> SlurmWatch::run() {
  if (!co_await make_contact()) co_return;
  net::TaskGroup tasks(loop_);
  tasks.spawn("nodes", nodes_.run());
  tasks.spawn("partitions and jobs", poll());
  tasks.spawn("contact", keep_contact());
  (void)co_await loop_.sleep_until(base::kNever);
  stale_.cancel();
  tasks.cancel();
  co_await tasks.join();
}

// --- polls

net::Task<void> SlurmWatch::poll() {
  for (;;) {
    co_await poll_partitions();
    if (wants_jobs_) co_await poll_jobs();
    const base::Duration pause =
        wants_jobs_ ? std::min(timing_.partitions, timing_.jobs) : timing_.partitions;
    if (!(co_await wake_.wait_until(loop_.in(pause))).ok()) co_return;
  }
}

net::Task<void> SlurmWatch::poll_partitions() {
  const Instant asked = loop_.now();
  auto answer = co_await client_.partitions(loop_.in(timing_.call));
  if (!answer.ok()) {
    note_problem(answer.error().message());
    co_return;
  }
  problem_.clear();
  const bool is_changed = !are_same(partitions_.content, *answer);
  partitions_ = {std::move(*answer), asked};
  update_known();
  if (is_changed) report();
}

net::Task<void> SlurmWatch::poll_jobs() {
  const Instant asked = loop_.now();
  auto answer = co_await client_.running_jobs(loop_.in(timing_.call));
  if (!answer.ok() || !wants_jobs_) co_return;
  std::vector<workers::RunningJob> jobs = converted(std::move(*answer));
  const bool is_changed = !jobs_.content || !are_same(*jobs_.content, jobs);
  jobs_ = {std::move(jobs), asked};
  if (is_changed) report();
}

void SlurmWatch::hurry() {
  nodes_.hurry();
  wake_.notify();
}

void SlurmWatch::want_jobs(bool wanted) {
  if (std::exchange(wants_jobs_, wanted) == wanted) return;
  jobs_ = {};
  if (wanted) wake_.notify();
}

// --- knowledge

// The mirror does not report nodes of which only the times changed, such as the start of slurmd.
void SlurmWatch::nodes_answered() {
  std::vector<std::int64_t> times;
  for (const slurm::SlurmNodeName& name : nodes_.names()) {
    const slurm::Node* node = nodes_.find(name);
    times.insert(times.end(), {node->slurmd_start_time, node->boot_time, node->reason_changed_at});
  }
  const bool is_changed = times != node_times_;
  node_times_ = std::move(times);
  update_known();
  if (is_changed) report();
}

Instant SlurmWatch::as_of() const {
  return std::min(nodes_.as_of(), partitions_.as_of);
}

bool SlurmWatch::is_fresh(Instant as_of) const {
  return as_of != Instant::min() && loop_.now() - as_of <= timing_.stale_after;
}

void SlurmWatch::update_known() {
  const bool is_known = is_fresh(as_of());
  has_tried_ = has_tried_ || is_known;
  if (is_known) {
    const base::Duration step = std::chrono::milliseconds(1);  // after it, the answer is too old
    stale_ = loop_.timers().arm(as_of() + timing_.stale_after + step, [this] { update_known(); });
  }
  if (std::exchange(was_known_, is_known) != is_known) report();
}

std::string SlurmWatch::why_unknown() const {
  std::string why = "no answer yet";
  if (nodes_.last_error()) {
    why = nodes_.last_error()->message();
  } else if (!problem_.empty()) {
    why = problem_;
  }
  return fmt::format("slurmrestd does not answer: {}", why);
}

workers::SlurmView SlurmWatch::view() const {
  if (!contacted_ || !is_fresh(as_of())) return workers::SlurmUnknown{why_unknown()};
  const bool has_jobs = wants_jobs_ && jobs_.content && is_fresh(jobs_.as_of);
  const Instant oldest = has_jobs ? std::min(as_of(), jobs_.as_of) : as_of();
  workers::SlurmKnown known;
  known.as_of = loop_.clock().wall() -
                std::chrono::duration_cast<base::WallTime::duration>(loop_.now() - oldest);
  for (const slurm::SlurmNodeName& name : nodes_.names())
    known.nodes.emplace(name.value(), *nodes_.find(name));
  known.partitions = partitions_.content;
  if (has_jobs) known.jobs = jobs_.content;
  return known;
}

}  // namespace slurmop::process
