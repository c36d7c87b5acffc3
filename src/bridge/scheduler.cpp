// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduler.h"

#include "bridge/cancel.h"
#include "bridge/named_job.h"
#include "bridge/pod_writes.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bridge {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::Again;
using kube::Pod;
using namespace std::chrono_literals;

constexpr std::size_t kStepsAtOnce = 64;
constexpr auto kCallTimeout = 15s;
// slurmctld may still be working on a request whose answer was lost; after this it is not.
constexpr auto kLostRequestsSettle = 3s;
// Refused requests are tried again now and then: Slurm's configuration may have changed.
constexpr auto kAskRefusedAgain = 60s;
// Most pods start at once; only those that wait longer are worth a write.
constexpr auto kExplainAfter = 2s;
constexpr auto kBindShowsWithin = 10s;
constexpr auto kFinishLooksEvery = 200ms;
// How old Slurm's word may be on which a pod is bound.
constexpr auto kFresh = 5s;
constexpr auto kLookAgainAfter = 200ms;

}  // namespace

Scheduler::Scheduler(Links links, Picture& picture)
    : links_(std::move(links)),
      picture_(picture),
      queue_(links_.loop,
             links_.tasks,
             kStepsAtOnce,
             [this](kube::ObjectKey key) { return reconcile(std::move(key)); }),
      started_(links_.loop.now()) {}

void Scheduler::start() {
  picture_.on_pod([this](const kube::ObjectKey& key) {
    if (const auto pod = picture_.pods().find(key)) remember(key, *pod);
    queue_.add(key);
  });
  picture_.mirror().on_recovery([this] { queue_.retry_failed(); });
  picture_.mirror().on_scan([this] {
    for (const auto& [key, memory] : memory_) {
      if (memory.look_since != base::Instant::min()) queue_.add(key);
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
  return memory;
}

net::Task<Again> Scheduler::reconcile(kube::ObjectKey key) {
  const auto pod = picture_.pods().find(key);
  const auto known = memory_.find(key);
  if (known != memory_.end() && (!pod || known->second.uid != pod->metadata.uid))
    co_return co_await forget(key);
  if (!pod || pod->spec.schedulerName != links_.scheduler_name || !picture_.synced())
    co_return Again::on_change();

  Memory& memory = remember(key, *pod);
  // The pod shows it: the label's answer may have been lost, but not the label.
  if (memory.made && memory.made == named_job(*pod)) memory.made.reset();
  const auto request = workload::job_of_pod(*pod, picture_.bridge(), links_.live.defaults);
  Decision decision = next_scheduling_step(facts_of(*pod, memory, request));
  if (decision.explanation) {
    if (!links_.may_act()) co_return Again::on_change();
    if (memory.refusal) queue_.add_after(key, memory.refused_until - links_.loop.now());
    co_return co_await explain(pod, memory, *std::move(decision.explanation));
  }
  if (!links_.may_act() && !is_own(decision.step, memory)) co_return Again::on_change();
  co_return co_await act(pod, memory, std::move(decision.step));
}

// About a job that we made ourselves: that is taken care of whoever leads.
bool Scheduler::is_own(const Step& step, const Memory& memory) {
  if (const auto* name = std::get_if<Label>(&step)) return memory.made == name->job;
  return std::holds_alternative<CancelOwn>(step);
}

net::Task<void> Scheduler::finish(base::Instant deadline) {
  const auto unshown = [](const auto& entry) { return entry.second.made.has_value(); };
  while (links_.loop.now() < deadline && (queue_.busy() || std::ranges::any_of(memory_, unshown))) {
    for (const auto& [key, memory] : memory_) {
      if (memory.made) queue_.add(key);
    }
    const auto slept = co_await links_.loop.sleep_for(kFinishLooksEvery);
    if (!slept.ok()) co_return;
  }
}

// The pod is gone, or a namesake took its place: a job that we made for it has nobody left.
net::Task<Again> Scheduler::forget(kube::ObjectKey key) {
  const auto place = memory_.find(key);
  if (place->second.made) {
    const bool done = co_await take_back(key, place->second);
    if (!done) co_return Again::after_backoff();
  }
  memory_.erase(key);
  co_return Again::now();
}

PodFacts Scheduler::facts_of(const Pod& pod,
                             const Memory& memory,
                             const Result<slurm::JobRequest>& request) const {
  PodFacts facts(pod);
  facts.named = named_job(pod);
  if (facts.named) {
    facts.named_is_ours = picture_.is_job_of(*facts.named, pod);
    facts.view = picture_.mirror().find(*facts.named);
    facts.node = picture_.node_of(facts.view);
    if (unknown(facts.view)) facts.around = picture_.around(pod);
  } else {
    facts.found = picture_.live_job_of(pod);
  }
  if (pod.bound()) facts.own_node = picture_.slurm_name(pod.spec.nodeName);
  facts.made = memory.made;
  facts.nothing_overlooked = picture_.mirror().scanned_since() >= memory.look_since;
  facts.request = &request;
  const base::Instant now = links_.loop.now();
  if (memory.refusal && now < memory.refused_until && request.ok() &&
      slurm::submit_body(*request) == memory.refused_body) {
    facts.refusal = memory.refusal;
  }
  facts.view_is_fresh = facts.view != nullptr && facts.view->as_of >= now - kFresh;
  facts.bind_accepted =
      memory.bind_accepted_at && now < *memory.bind_accepted_at + kBindShowsWithin;
  return facts;
}

net::Task<Again> Scheduler::act(std::shared_ptr<const Pod> pod, Memory& memory, Step step) {
  if (std::holds_alternative<LookForJob>(step)) co_return co_await look_for_job(memory);
  if (auto* make = std::get_if<Submit>(&step))
    co_return co_await submit(pod, memory, std::move(make->request));
  if (auto* name = std::get_if<Label>(&step)) co_return co_await label(pod, memory, name->job);
  if (auto* place = std::get_if<Bind>(&step)) co_return co_await bind(pod, memory, *place);
  if (auto* again = std::get_if<StartOver>(&step))
    co_return co_await start_over(pod, memory, *again);
  if (std::holds_alternative<CancelOwn>(step)) {
    const bool done = co_await take_back(pod->metadata.key(), memory);
    if (!done) co_return Again::after_backoff();
    memory.made.reset();
    co_return Again::now();
  }
  if (std::holds_alternative<LookAgain>(step)) {
    picture_.mirror().hurry();
    co_return Again::after(kLookAgainAfter);
  }
  // Nothing to do: but a bind that the watch never shows is asked for again.
  if (memory.bind_accepted_at) co_return Again::after(kBindShowsWithin);
  co_return Again::on_change();
}

net::Task<Again> Scheduler::look_for_job(Memory& memory) {
  const base::Instant now = links_.loop.now();
  if (now < memory.look_since) co_return Again::after(memory.look_since - now);
  picture_.mirror().request_scan();
  co_return Again::after(5s);  // the scan's end calls us earlier
}

net::Task<Again> Scheduler::submit(std::shared_ptr<const Pod> pod,
                                   Memory& memory,
                                   slurm::JobRequest request) {
  const std::string comment = request.admin_comment;
  const std::string body = slurm::submit_body(request);
  auto made = co_await links_.slurm.submit(std::move(request), links_.loop.in(kCallTimeout));
  if (made.ok()) {
    memory.made = *made;
    memory.made_comment = comment;
    memory.refusal.reset();
    picture_.mirror().submitted(*made, comment);
    links_.tally.done("submit");
    links_.log.info("submitted",
                    {{"pod", pod->metadata.key().to_string()}, {"job", made->value()}});
    co_return Again::now();
  }
  const Error& error = made.error();
  switch (error.kind()) {
    case Kind::refused:
    case Kind::invalid:
      memory.refusal = error;
      memory.refused_body = body;
      memory.refused_until = links_.loop.in(kAskRefusedAgain);
      links_.tally.failed("submit", error.kind());
      links_.log.info("refused by Slurm",
                      {{"pod", pod->metadata.key().to_string()}, {"error", error}});
      co_return Again::now();
    case Kind::unreachable:
    case Kind::unavailable:
    case Kind::too_many:
    case Kind::unauthorized:
    case Kind::forbidden: break;  // certainly no job was made
    default:
      // It may have been made: find it before making another.
      memory.look_since = links_.loop.in(kLostRequestsSettle);
  }
  co_return failed("submit", *pod, error);
}

net::Task<Again> Scheduler::label(std::shared_ptr<const Pod> pod,
                                  Memory& memory,
                                  slurm::JobId job) {
  auto written = co_await patch(*pod, label_patch(*pod, job, links_.scheduler_name));
  if (!written.ok()) co_return failed("label", *pod, written.error());
  if (memory.made == job) memory.made.reset();
  links_.tally.done("label");
  picture_.mirror().hurry();
  co_return Again::now();
}

net::Task<Again> Scheduler::bind(std::shared_ptr<const Pod> pod, Memory& memory, Bind step) {
  const kube::ObjectKey key = pod->metadata.key();
  json::Object body = kube::binding(key,
                                    {pod->metadata.uid, pod->metadata.resourceVersion},
                                    step.node,
                                    json::Object{{workload::kNodeAnnotation, step.node.value()}});
  auto bound = co_await links_.kube.post(kube::object_path(kube::kPods, key, "binding"),
                                         std::move(body),
                                         links_.loop.in(kCallTimeout));
  if (!bound.ok()) co_return failed("bind", *pod, bound.error());
  memory.bind_accepted_at = links_.loop.now();
  links_.tally.done("bind");
  links_.log.info(
      "bound", {{"pod", key.to_string()}, {"node", step.node.value()}, {"job", step.job.value()}});
  co_return Again::after(kBindShowsWithin);
}

net::Task<Again> Scheduler::start_over(std::shared_ptr<const Pod> pod,
                                       Memory& memory,
                                       StartOver step) {
  links_.log.info("making a new job",
                  {{"pod", pod->metadata.key().to_string()}, {"because", step.because}});
  auto written = co_await patch(*pod, unlabel_patch(*pod));
  if (!written.ok()) co_return failed("unlabel", *pod, written.error());
  memory.bind_accepted_at.reset();
  links_.tally.done("unlabel");
  co_return Again::now();
}

// Whether the pod names this job, by the server's own word.
net::Task<Result<bool>> Scheduler::names_it(kube::ObjectKey key, kube::Uid uid, slurm::JobId job) {
  const auto answer =
      co_await links_.kube.get(kube::object_path(kube::kPods, key), links_.loop.in(kCallTimeout));
  if (!answer.ok()) {
    if (answer.error().is(Kind::not_found)) co_return false;
    co_return answer.error();
  }
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(*answer));
  CO_TRY(const Pod pod, kube::decode_object<Pod>(object));
  picture_.pods().written(object);
  co_return pod.metadata.uid == uid&& named_job(pod) == job;
}

// We made a job that the pod does not name, as far as we know. We may have slept since, and another
// leader may have found it and given it to the pod.
net::Task<bool> Scheduler::take_back(kube::ObjectKey key, Memory& memory) {
  const slurm::JobId job = *memory.made;
  const auto named = co_await names_it(key, memory.uid, job);
  if (!named.ok()) {
    note_failed_step(links_, "take back", key, named.error());
    co_return false;
  }
  if (*named) co_return true;
  const std::string comment = memory.made_comment;
  const IsMeant is_what_we_made = [comment](std::string_view says) { return says == comment; };
  const auto cancelled =
      co_await cancel_if(links_.slurm, job, is_what_we_made, links_.loop.in(kCallTimeout));
  if (!cancelled.ok()) {
    links_.log.warn("cannot cancel a job that we made and nobody needs",
                    {{"job", job.value()}, {"error", cancelled.error()}});
    co_return false;
  }
  if (*cancelled) {
    links_.tally.done("cancel own");
    links_.log.info("cancelled a job that we made and nobody needs", {{"job", job.value()}});
  }
  picture_.done_with(job);
  co_return true;
}

net::Task<Again> Scheduler::explain(std::shared_ptr<const Pod> pod,
                                    const Memory& memory,
                                    Explanation why) {
  if (shows(*pod, why)) co_return Again::on_change();
  const base::Instant due = memory.first_seen + kExplainAfter;
  if (links_.loop.now() < due) co_return Again::after(due - links_.loop.now());

  auto answer =
      co_await links_.kube.patch(kube::object_path(kube::kPods, pod->metadata.key(), "status"),
                                 kube::PatchType::strategic,
                                 condition_patch(*pod, why),
                                 links_.loop.in(kCallTimeout));
  if (!answer.ok()) co_return failed("explain", *pod, answer.error());
  links_.tally.done("explain");
  // With the condition and not with each refusal: what is refused is asked again for ever.
  if (is_refusal(why))
    links_.events.record({subject(*pod), kube::Severity::warning, why.reason, why.message});
  json::Parser parser;
  if (auto object = parser.parse(*answer)) picture_.pods().written(*object);
  co_return Again::on_change();
}

net::Task<Result<void>> Scheduler::patch(const Pod& pod, json::Object body) {
  auto answer = co_await links_.kube.patch(kube::object_path(kube::kPods, pod.metadata.key()),
                                           kube::PatchType::merge,
                                           std::move(body),
                                           links_.loop.in(kCallTimeout));
  if (!answer.ok()) co_return std::move(answer).error();
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(*answer));
  picture_.pods().written(object);
  co_return Result<void>();
}

Again Scheduler::failed(std::string_view what, const Pod& pod, const Error& error) {
  note_failed_step(links_, what, pod.metadata.key(), error);
  return Again::after_backoff();
}

}  // namespace bridge
