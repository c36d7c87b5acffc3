// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/scheduler.h"

#include "base/overloaded.h"
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/fresh.h"
#include "bridge/state/job_members.h"
#include "workload/node_fit.h"
#include "workload/pod_resources.h"
#include "workload/unsupported_requests.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
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
// Not all places of the queue are for submits: when Slurm is slow to take jobs, pods whose jobs run
// are bound all the same.
constexpr std::size_t kSubmitsAtOnce = 32;
constexpr auto kFinishLooksEvery = 200ms;

}  // namespace

Scheduler::Scheduler(runtime::Links links, state::Picture& picture)
    : links_(std::move(links)),
      picture_(picture),
      queue_(links_.loop,
             links_.tasks,
             kStepsAtOnce,
             [this](kube::ObjectKey key) -> net::Task<Requeue> {
               // Whoever is called later than this comes once more.
               const bool was_called = submit_line_.is_called(key);
               const Requeue again = co_await reconcile(key);
               if (was_called) submit_line_.give_way(key);
               let_next_submit();
               co_return again;
             }),
      started_(links_.loop.now()),
      owners_(links_.loop, links_.tasks, links_.kube),
      volumes_(links_.loop, links_.tasks, links_.kube),
      choice_(links_.loop, picture_, volumes_),
      waiting_(links_, picture_),
      submit_line_(kSubmitsAtOnce),
      device_classes_(links_.loop, links_.tasks, links_.kube) {}

void Scheduler::start() {
  picture_.on_pod([this](const kube::ObjectKey& key) {
    if (const auto pod = picture_.pods().find(key)) remember(key, *pod);
    queue_.add(key);
  });
  picture_.mirror().on_recovery([this] { queue_.retry_failed(); });
  choice_.verdicts().on_fit([this](const kube::ObjectKey& key) { a_node_may_fit(key); });
  links_.tasks.spawn("node verdicts", choice_.verdicts().run());
  waiting_.on_look([this](slurm::Job job) { return mend_left_out(std::move(job)); });
  waiting_.on_news([this](slurm::JobId job) {
    for (const kube::ObjectKey& key : picture_.pods_of(job)) queue_.add(key);
  });
  picture_.mirror().on_scan([this] {
    for (const auto& [key, memory] : memory_) {
      const auto pod = picture_.pods().find(key);
      const bool may_need_a_job = pod && !marks::named_job(*pod);
      if (may_need_a_job && memory.look_since != base::Instant::min()) queue_.add(key);
    }
  });
}

Scheduler::Memory& Scheduler::remember(const kube::ObjectKey& key, const Pod& pod) {
  auto [place, is_new] = memory_.try_emplace(key);
  Memory& memory = place->second;
  if (is_new) {
    memory.uid = pod.metadata.uid;
    memory.first_seen = links_.loop.now();
    // A pod of the first list may have been submitted by the process before us; a later one cannot.
    if (!picture_.pods().synced()) memory.look_since = started_;
  }
  const auto named = marks::named_job(pod);
  if (memory.named && memory.named != named && !pod.bound()) {
    std::erase_if(memory.taken_off,
                  [&](const auto& entry) { return !is_about_to_go(memory, entry.first); });
    memory.taken_off.insert_or_assign(*memory.named, links_.loop.now());
  }
  memory.named = named;
  return memory;
}

net::Task<Requeue> Scheduler::reconcile(kube::ObjectKey key) {
  const auto pod = picture_.pods().find(key);
  const auto known = memory_.find(key);
  if (known != memory_.end() && (!pod || known->second.uid != pod->metadata.uid))
    co_return co_await forget(key);
  if (!pod || pod->spec.schedulerName != links_.scheduler_name || !picture_.synced())
    co_return Requeue::on_change();
  // Nobody can be placed before it is known who else is on the nodes.
  if (!picture_.foreign_pods().synced()) co_return Requeue::after(kLookAgainAfter);

  Memory& memory = remember(key, *pod);
  // The pod shows it: the label's answer may have been lost, but not the label.
  if (memory.made && memory.made->id == marks::named_job(*pod)) memory.made.reset();
  if (pod->bound()) memory.bind_accepted_at.reset();
  const auto request = co_await request_for(pod);
  if (!request.ok() && !request.error().is(Kind::invalid))
    co_return co_await owners_unread(pod, memory, request.error());
  memory.owners_unread_since.reset();
  const PodFacts facts = facts_of(*pod, memory, request);
  if (!facts.view || !facts.view->known(slurm::JobState::running)) memory.held_since.reset();
  Decision decision = next_scheduling_step(facts);
  if (!std::holds_alternative<AwaitAnswer>(decision.step)) memory.answer_awaited_since.reset();
  if (decision.explanation) {
    if (!links_.may_act()) co_return Requeue::on_change();
    co_return co_await wait(pod, memory, *std::move(decision.explanation));
  }
  if (!links_.may_act() && !is_own(decision.step, memory)) co_return Requeue::on_change();
  co_return co_await act(pod, memory, std::move(decision.step));
}

// Kind::invalid: for the pod's author. Else its owners could not be read.
net::Task<Result<slurm::JobRequest>> Scheduler::request_for(std::shared_ptr<const Pod> pod) {
  const bool needed = pod->bound() ? marks::asks_to_reserve_again(*pod) : !marks::named_job(*pod);
  if (!needed || pod->ended() || pod->metadata.deleting())
    co_return Error(Kind::invalid, "the pod needs no job");
  CO_TRY(const workload::Ownership owners, co_await owners_.of(*pod));
  auto request = workload::job_of_pod(*pod, owners, picture_.bridge(), links_.live.defaults);
  if (!request.ok()) co_return Error(Kind::invalid, request.error().message());
  co_return request;
}

// About a job that we made ourselves: that is taken care of whoever leads.
bool Scheduler::is_own(const Step& step, const Memory& memory) {
  if (const auto* name = std::get_if<Label>(&step))
    return memory.made && memory.made->id == name->job;
  return std::holds_alternative<CancelOwn>(step);
}

net::Task<void> Scheduler::finish(base::Instant deadline) {
  const auto unshown = [](const auto& entry) { return entry.second.made || entry.second.returned; };
  while (links_.loop.now() < deadline && (queue_.busy() || std::ranges::any_of(memory_, unshown))) {
    for (const auto& entry : memory_) {
      if (unshown(entry)) queue_.add(entry.first);
    }
    const auto slept = co_await links_.loop.sleep_for(kFinishLooksEvery);
    if (!slept.ok()) co_return;
  }
}

// The pod is gone, or a namesake took its place: a job that we made for it has nobody left.
net::Task<Requeue> Scheduler::forget(kube::ObjectKey key) {
  const auto place = memory_.find(key);
  for (std::optional<OwnJob> Memory::* own : {&Memory::made, &Memory::returned}) {
    std::optional<OwnJob>& job = place->second.*own;
    if (!job) continue;
    const bool done = co_await take_back(links_, picture_, key, place->second.uid, *job);
    if (!done) co_return Requeue::after_backoff();
    job.reset();
  }
  refused_.forget(place->second.asked_with_nodes, key);
  choice_.verdicts().forget(key);
  memory_.erase(key);
  co_return Requeue::now();
}

PodFacts Scheduler::facts_of(const Pod& pod,
                             const Memory& memory,
                             const Result<slurm::JobRequest>& request) {
  PodFacts facts(pod);
  const base::Instant now = links_.loop.now();
  facts.named = marks::named_job(pod);
  if (facts.named) {
    facts.named_is_ours = picture_.is_job_of(*facts.named, pod);
    facts.view = picture_.mirror().find(*facts.named);
    facts.node = node_for(picture_, pod, *facts.named);
    if (facts.node) facts.slurm_node = picture_.slurm_name(facts.node->value());
    facts.no_place_left = !facts.node && picture_.node_of(facts.view).has_value();
    if (state::unknown(facts.view)) facts.around = picture_.around(pod);
    if (pod.bound() && request.ok())
      facts.named_is_anothers = picture_.is_anothers(*facts.named, pod, request->name);
    if (facts.view && facts.view->known(slurm::JobState::pending))
      facts.slurm_says = waiting_.of(*facts.named, memory.made_kind);
    if (facts.node && !pod.bound()) look_at_node(pod, facts);
    facts.held_long_enough = memory.held_since && *memory.held_since + links_.live.hold <= now;
    if (refused_for_long(memory)) facts.refused_for_long = memory.write_refused->words;
  } else {
    facts.found = picture_.live_job_of(pod);
    if (facts.found && memory.given_back.contains(*facts.found)) facts.found.reset();
    if (!pod.bound()) facts.unsupported = workload::unsupported_request(pod);
  }
  const bool may_go = facts.found && is_about_to_go(memory, *facts.found);
  if (pod.bound()) facts.own_node = picture_.slurm_name(pod.spec.nodeName);
  if (memory.made) facts.made = memory.made->id;
  if (memory.returned) facts.returned = memory.returned->id;
  facts.nothing_overlooked = !may_go && picture_.mirror().scanned_since() >= memory.look_since;
  facts.request = &request;
  if (memory.hindrance && now < memory.hindered_until) facts.hindrance = memory.hindrance;
  if (memory.refusal && now < memory.refused_until && request.ok() &&
      question_of(pod, *request) == memory.asked) {
    facts.refusal = memory.refusal;
  }
  facts.view_is_fresh = facts.view != nullptr && is_fresh(*facts.view, now);
  facts.bind_accepted =
      memory.bind_accepted_at && now < *memory.bind_accepted_at + kBindShowsWithin;
  return facts;
}

// A pod that runs asks for its own node.
JobKind Scheduler::question_of(const Pod& pod, slurm::JobRequest request) const {
  if (pod.bound()) request.required_nodes = {picture_.slurm_name(pod.spec.nodeName)};
  return kind_of(std::move(request));
}

// Whether the node that Slurm chose can take the pod.
void Scheduler::look_at_node(const Pod& pod, PodFacts& facts) {
  const auto node = picture_.nodes().find({"", facts.node->value()});
  const auto listed = workload::pod_requests(pod);
  if (!node || !listed.ok()) return;
  const kube::Amounts requests(*listed);
  workload::NodeUsage& usage = picture_.usage();
  facts.node_never = workload::never_fits(pod, requests, *node, usage.without_ours(*node));
  const auto now =
      workload::cannot_take_now(pod, requests, *node, usage.now(*node, pod.metadata.uid));
  if (now) {
    facts.node_not_now = bridge::writes::explain(
        writes::Cause::node_cannot,
        fmt::format("Slurm job {} has node {}, which cannot take the pod yet: {}.",
                    *facts.named,
                    facts.node->value(),
                    *now));
  }
}

net::Task<Requeue> Scheduler::act(std::shared_ptr<const Pod> pod, Memory& memory, Step step) {
  return std::visit(
      base::Overloaded{
          [&](Nothing) { return nothing_to_do(pod, memory); },
          [&](AwaitAnswer) { return await_answer(pod, memory); },
          [&](LookForJob) { return look_for_job(pod, memory); },
          [&](Submit& make) { return submit(pod, memory, std::move(make.request)); },
          [&](const Label& name) { return label(pod, memory, name.job); },
          [&](const Bind& place) { return bind(pod, memory, place); },
          [&](const CancelOwn& surplus) { return cancel_own(pod, memory, surplus.job); },
          [&](const StartOver& again) { return start_over(pod, memory, again); },
          [&](GiveBack& back) { return give_back(pod, memory, std::move(back)); },
      },
      step);
}

// A bind that the watch never shows is sent again.
net::Task<Requeue> Scheduler::nothing_to_do(std::shared_ptr<const Pod> pod, Memory& memory) {
  if (memory.bind_accepted_at) co_return Requeue::after(kBindShowsWithin);
  look_when_it_may_ask_again(pod->metadata.key(), memory);
  co_return Requeue::on_change();
}

net::Task<Requeue> Scheduler::cancel_own(std::shared_ptr<const Pod> pod,
                                         Memory& memory,
                                         slurm::JobId job) {
  std::optional<OwnJob>& own =
      memory.made && memory.made->id == job ? memory.made : memory.returned;
  const bool done = co_await take_back(links_, picture_, pod->metadata.key(), memory.uid, *own);
  if (!done) co_return Requeue::after_backoff();
  own.reset();
  co_return Requeue::now();
}

}  // namespace bridge::scheduling
