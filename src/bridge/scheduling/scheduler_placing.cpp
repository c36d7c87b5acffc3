// SPDX-License-Identifier: Apache-2.0
// The scheduler's steps from a job on: names it on the pod, binds the pod, or gives the job back.
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/fresh.h"
#include "bridge/scheduling/scheduler.h"
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
constexpr auto kMaxAnswerAge = 10min;
// Between jobs of one pod that come to nothing.
constexpr auto kFirstPause = 5s;
constexpr auto kLongestPause = 5min;
constexpr auto kForgetLostAfter = 10min;
// Whoever takes a job off a pod has cancelled it by then, or was killed.
constexpr auto kTakenOffIsCancelled = 30s;

// After a conflict or a lost answer the pod may be bound, by this request or an earlier one that
// the watch has not shown: it counts on its node until the watch says otherwise.
bool certainly_not_bound(const base::Error& error) {
  return error.is(Kind::unreachable) || error.is(Kind::too_many) || error.is(Kind::forbidden) ||
         error.is(Kind::unauthorized) || error.is(Kind::invalid) || error.is(Kind::refused);
}

}  // namespace

net::Task<Again> Scheduler::label(std::shared_ptr<const Pod> pod,
                                  Memory& memory,
                                  slurm::JobId job) {
  auto written = co_await writes::patch_pod(
      links_, picture_, pod, {.body = writes::label_patch(*pod, job, links_.scheduler_name)});
  if (!written.ok()) {
    const Again again = co_await write_failed("label", pod, memory, written.error());
    let_go_of_unnamed(*pod, memory, job);
    co_return memory.returned ? Again::now() : again;
  }
  memory.write_refused.reset();
  if (memory.made && memory.made->id == job) memory.made.reset();
  links_.tally.done("label");
  picture_.mirror().hurry();
  co_return Again::now();
}

// Its job runs for nothing while the API server does not let us name it on the pod.
void Scheduler::let_go_of_unnamed(const Pod& pod, Memory& memory, slurm::JobId job) {
  const slurm::JobView* view = picture_.mirror().find(job);
  const std::string* comment = picture_.mirror().comment_of(job);
  if (view == nullptr || !view->known(slurm::JobState::running) || comment == nullptr) return;
  if (pod.bound() || marks::named_job(pod) == job || !refused_for_long(memory)) return;
  memory.returned = OwnJob{job, *comment};
  memory.made.reset();
  remember_given_back(memory, job);
  wait_before_the_next_job(memory, writes::Cause::write_refused, memory.write_refused->words);
  memory.write_refused.reset();
}

net::Task<Again> Scheduler::bind(std::shared_ptr<const Pod> pod, Memory& memory, Bind step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (has_claims(*pod)) {
    auto waits = co_await volumes_in_the_way(pod, memory, step);
    if (waits) co_return *waits;
    if (!links_.may_act() || !still_has_its_node(*pod, step)) co_return Again::now();
  }
  json::Object body = kube::binding(key,
                                    {pod->metadata.uid, pod->metadata.resourceVersion},
                                    step.node,
                                    json::Object{{workload::kNodeAnnotation, step.node.value()}});
  // Counted at once: the next pod for this node may be looked at before the watch shows this one.
  if (const auto requests = workload::pod_requests(*pod); requests.ok()) {
    picture_.usage().set(pod->metadata.uid,
                         workload::Occupant{step.node, *requests, workload::Whose::ours});
  }
  auto bound = co_await links_.kube.post(kube::object_path(kube::kPods, key, "binding"),
                                         std::move(body),
                                         links_.loop.in(runtime::kCallTimeout));
  if (!bound.ok()) {
    if (certainly_not_bound(bound.error())) picture_.count_anew(key, pod->metadata.uid);
    co_return co_await write_failed("bind", pod, memory, bound.error());
  }
  memory.write_refused.reset();
  memory.bind_accepted_at = links_.loop.now();
  links_.tally.done("bind");
  links_.log.info(
      "bound", {{"pod", key.to_string()}, {"node", step.node.value()}, {"job", step.job.value()}});
  co_return Again::after(kBindShowsWithin);
}

// While we asked about volumes the job may have ended, and others may have taken the room.
bool Scheduler::still_has_its_node(const Pod& pod, const Bind& step) {
  const slurm::JobView* view = picture_.mirror().find(step.job);
  if (view == nullptr || !view->known(slurm::JobState::running)) return false;
  if (!is_fresh(*view, links_.loop.now())) return false;
  if (node_for(picture_, pod, step.job) != step.node) return false;
  PodFacts facts(pod);
  facts.named = step.job;
  facts.node = step.node;
  look_at_node(pod, facts);
  return !facts.node_never && !facts.node_not_now;
}

// Empty when the pod can be bound to that node as far as its volumes are concerned.
net::Task<std::optional<Again>> Scheduler::volumes_in_the_way(std::shared_ptr<const Pod> pod,
                                                              Memory& memory,
                                                              Bind step) {
  const auto node = picture_.nodes().find({"", step.node.value()});
  if (!node) co_return Again::after(kLookAgainAfter);
  const auto prepared = co_await volumes_.prepare(*pod, *node);
  const slurm::JobView* view = picture_.mirror().find(step.job);
  std::optional<std::string> taken;
  // Read without a wait: the next bind may take it.
  if (prepared.ok()) taken = claim_in_use(picture_, *pod, prepared->for_one_pod);
  if (prepared.ok() && prepared->ready && !taken) co_return std::nullopt;
  const bool never = !prepared.ok() && prepared.error().is(Kind::conflict);
  if (!prepared.ok() && !never)
    co_return co_await write_failed("prepare volumes", pod, memory, prepared.error());
  // A claim that another pod has is not the node's fault.
  const writes::Cause cause = taken ? writes::Cause::volumes_missing : writes::Cause::node_never;
  std::string words =
      never   ? prepared.error().message()
      : taken ? *std::move(taken)
              : fmt::format("its volumes are being made for node {}", step.node.value());
  const bool too_long =
      memory.held_since && *memory.held_since + links_.live.hold <= links_.loop.now();
  if (never || too_long) {
    if (view == nullptr || view->nodes.empty()) co_return Again::after(kLookAgainAfter);
    co_return co_await give_back(
        pod, memory, {step.job, picture_.slurm_name(step.node.value()), std::move(words), cause});
  }
  co_return co_await wait(
      pod, memory, bridge::writes::explain(writes::Cause::volumes_pending, std::move(words)));
}

// The pod leaves the nodes that Slurm had for it: its volumes may be made elsewhere.
net::Task<base::Result<void>> Scheduler::release_volumes(std::shared_ptr<const Pod> pod,
                                                         std::vector<slurm::SlurmNodeName> nodes) {
  if (!has_claims(*pod)) co_return base::Result<void>();
  for (const slurm::SlurmNodeName& name : nodes) {
    const auto node = picture_.kubernetes_node(name);
    const auto released =
        co_await volumes_.release(*pod, node ? node->metadata.name : name.value());
    if (!released.ok()) co_return released.error();
  }
  co_return base::Result<void>();
}

net::Task<Again> Scheduler::start_over(std::shared_ptr<const Pod> pod,
                                       Memory& memory,
                                       StartOver step) {
  if (const slurm::JobView* view = picture_.mirror().find(*marks::named_job(*pod))) {
    const auto released = co_await release_volumes(pod, view->nodes);
    if (!released.ok()) co_return failed("release volumes", *pod, released.error());
  }
  links_.log.info("making a new job",
                  {{"pod", pod->metadata.key().to_string()}, {"because", step.because}});
  auto written =
      co_await writes::patch_pod(links_, picture_, pod, {.body = writes::unlabel_patch(*pod)});
  if (!written.ok()) co_return co_await write_failed("unlabel", pod, memory, written.error());
  memory.write_refused.reset();
  memory.bind_accepted_at.reset();
  wait_before_the_next_job(memory, writes::Cause::job_ended, step.because);
  links_.tally.done("unlabel");
  co_return Again::now();
}

net::Task<Again> Scheduler::give_back(std::shared_ptr<const Pod> pod,
                                      Memory& memory,
                                      GiveBack step) {
  const std::string* comment = picture_.mirror().comment_of(step.job);
  if (comment == nullptr) co_return Again::after(kLookAgainAfter);
  OwnJob own{step.job, *comment};
  const auto released = co_await release_volumes(pod, {step.node});
  if (!released.ok()) co_return failed("release volumes", *pod, released.error());
  // Off the pod first: a pod that names a cancelled job is one that nobody wants any more.
  auto written =
      co_await writes::patch_pod(links_, picture_, pod, {.body = writes::unlabel_patch(*pod)});
  if (!written.ok()) {
    // It may be off the pod, and then nothing follows the job: find it before making another.
    memory.look_since = links_.loop.in(kLostRequestsSettle);
    co_return co_await write_failed("give back", pod, memory, written.error());
  }
  memory.write_refused.reset();
  memory.returned = std::move(own);
  remember_given_back(memory, step.job);
  const bool blames_node = step.cause == writes::Cause::node_never;
  if (blames_node) memory.avoid[step.node] = links_.loop.in(kAvoidFor);
  memory.held_since.reset();
  wait_before_the_next_job(memory, step.cause, step.because);
  links_.tally.done("give back");
  links_.log.info("giving the job back",
                  {{"pod", pod->metadata.key().to_string()},
                   {"job", step.job.value()},
                   {"because", step.because}});
  links_.events.record({subject(*pod),
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

bool Scheduler::is_about_to_go(const Memory& memory, slurm::JobId job) const {
  const auto off = memory.taken_off.find(job);
  return off != memory.taken_off.end() && links_.loop.now() < off->second + kTakenOffIsCancelled;
}

// The job is not the pod's any more, whatever an old answer says. Answers are not that old.
void Scheduler::remember_given_back(Memory& memory, slurm::JobId job) {
  std::erase_if(memory.given_back, [&](const auto& entry) {
    return entry.second + kMaxAnswerAge < links_.loop.now() &&
           !picture_.mirror().ours().contains(entry.first);
  });
  memory.given_back.insert_or_assign(job, links_.loop.now());
}

// Once is bad luck. From the second time on something is wrong that a new job does not mend, and
// that somebody should know of: nobody is served by jobs that come and go as fast as Slurm starts
// them.
void Scheduler::wait_before_the_next_job(Memory& memory,
                                         writes::Cause cause,
                                         std::string_view because) {
  const base::Instant now = links_.loop.now();
  // A submit whose answer was lost may have made its job long after the pod got another one.
  memory.look_since = std::max(memory.look_since, now);
  if (memory.last_lost + kForgetLostAfter < now) memory.jobs_lost = 0;
  memory.last_lost = now;
  if (++memory.jobs_lost < 2) return;
  const int doublings = std::min(memory.jobs_lost - 2, 6);
  const auto pause = std::min<base::Duration>(kFirstPause * (1 << doublings), kLongestPause);
  memory.hindrance = bridge::writes::explain(
      cause,
      fmt::format("{}. That was the job number {} in a row that came to nothing; the next one is "
                  "made {} s later.",
                  because,
                  memory.jobs_lost,
                  std::chrono::duration_cast<std::chrono::seconds>(pause).count()));
  memory.hindered_until = now + pause;
}

}  // namespace bridge::scheduling
