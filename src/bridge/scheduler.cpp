// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduler.h"

#include "bridge/cancel.h"
#include "bridge/named_job.h"
#include "bridge/pod_writes.h"
#include "slurm/error_number.h"
#include "workload/node_fit.h"
#include "workload/pod_resources.h"
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
// Nodes and volumes may have changed so that one fits now; no more than a look is lost.
constexpr auto kLookAtHinderedAfter = 10s;
constexpr auto kLookAtHeldEvery = 500ms;
// A node that could not take a pod is tried again after this.
constexpr auto kAvoidFor = 10min;

bool is_hold(const Explanation& why) {
  return std::ranges::any_of(causes(), [&](const CauseLine& line) {
    return line.then == Then::hold && line.reason == why.reason;
  });
}

}  // namespace

Scheduler::Scheduler(Links links, Picture& picture)
    : links_(std::move(links)),
      picture_(picture),
      queue_(links_.loop,
             links_.tasks,
             kStepsAtOnce,
             [this](kube::ObjectKey key) { return reconcile(std::move(key)); }),
      started_(links_.loop.now()),
      owners_(links_.loop, links_.tasks, links_.kube),
      volumes_(links_.loop, links_.tasks, links_.kube),
      waiting_(links_, picture_) {}

void Scheduler::start() {
  picture_.on_pod([this](const kube::ObjectKey& key) {
    if (const auto pod = picture_.pods().find(key)) remember(key, *pod);
    queue_.add(key);
  });
  picture_.mirror().on_recovery([this] { queue_.retry_failed(); });
  waiting_.on_news([this](slurm::JobId job) {
    for (const kube::ObjectKey& key : picture_.pods_of(job)) queue_.add(key);
  });
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
  // Nobody can be placed before it is known who else is on the nodes.
  if (!picture_.foreign_pods().synced()) co_return Again::after(kLookAgainAfter);

  Memory& memory = remember(key, *pod);
  // The pod shows it: the label's answer may have been lost, but not the label.
  if (memory.made && memory.made->id == named_job(*pod)) memory.made.reset();
  const auto request = co_await request_for(pod);
  if (!request.ok() && !request.error().is(Kind::invalid))
    co_return failed("read owners", *pod, request.error());
  const PodFacts facts = facts_of(*pod, memory, request);
  if (!facts.view || !facts.view->known(slurm::JobState::running)) memory.held_since.reset();
  Decision decision = next_scheduling_step(facts);
  if (decision.explanation) {
    if (!links_.may_act()) co_return Again::on_change();
    co_return co_await wait(pod, memory, *std::move(decision.explanation));
  }
  if (!links_.may_act() && !is_own(decision.step, memory)) co_return Again::on_change();
  co_return co_await act(pod, memory, std::move(decision.step));
}

// Kind::invalid: for the pod's author. Else its owners could not be read.
net::Task<Result<slurm::JobRequest>> Scheduler::request_for(std::shared_ptr<const Pod> pod) {
  const bool needed = pod->bound() ? asks_to_reserve_again(*pod) : !named_job(*pod);
  if (!needed || pod->ended() || pod->metadata.deleting())
    co_return Error(Kind::invalid, "the pod needs no job");
  CO_TRY(const workload::Ownership owners, co_await owners_.of(*pod));
  auto request = workload::job_of_pod(*pod, owners, picture_.bridge(), links_.live.defaults);
  if (!request.ok()) co_return Error(Kind::invalid, request.error().message());
  co_return request;
}

// Nothing can be done now: says why, and looks again when that may have changed.
net::Task<Again> Scheduler::wait(std::shared_ptr<const Pod> pod, Memory& memory, Explanation why) {
  const kube::ObjectKey key = pod->metadata.key();
  const base::Instant now = links_.loop.now();
  for (const base::Instant until : {memory.refused_until, memory.hindered_until}) {
    if (now < until) queue_.add_after(key, until - now);
  }
  if (is_hold(why)) {
    if (!memory.held_since) memory.held_since = now;
    // What is about to go, such as a pod that ends, is not worth a word.
    if (now < *memory.held_since + kExplainAfter) co_return Again::after(kLookAtHeldEvery);
    queue_.add_after(key, kLookAtHeldEvery);
  }
  co_return co_await explain(pod, memory, std::move(why));
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
net::Task<Again> Scheduler::forget(kube::ObjectKey key) {
  const auto place = memory_.find(key);
  for (std::optional<OwnJob> Memory::* own : {&Memory::made, &Memory::returned}) {
    std::optional<OwnJob>& job = place->second.*own;
    if (!job) continue;
    const bool done = co_await take_back(key, place->second.uid, *job);
    if (!done) co_return Again::after_backoff();
    job.reset();
  }
  memory_.erase(key);
  co_return Again::now();
}

PodFacts Scheduler::facts_of(const Pod& pod,
                             const Memory& memory,
                             const Result<slurm::JobRequest>& request) {
  PodFacts facts(pod);
  const base::Instant now = links_.loop.now();
  facts.named = named_job(pod);
  if (facts.named) {
    facts.named_is_ours = picture_.is_job_of(*facts.named, pod);
    facts.view = picture_.mirror().find(*facts.named);
    facts.node = picture_.node_of(facts.view);
    if (unknown(facts.view)) facts.around = picture_.around(pod);
    if (facts.view && facts.view->known(slurm::JobState::pending))
      facts.slurm_says = waiting_.of(*facts.named);
    if (facts.node && !pod.bound()) look_at_node(pod, facts);
    facts.held_long_enough = memory.held_since && *memory.held_since + links_.live.hold <= now;
  } else {
    facts.found = picture_.live_job_of(pod);
    if (facts.found && memory.given_back.contains(*facts.found)) facts.found.reset();
  }
  if (pod.bound()) facts.own_node = picture_.slurm_name(pod.spec.nodeName);
  if (memory.made) facts.made = memory.made->id;
  if (memory.returned) facts.returned = memory.returned->id;
  facts.nothing_overlooked = picture_.mirror().scanned_since() >= memory.look_since;
  facts.request = &request;
  if (memory.refusal && now < memory.refused_until && request.ok() &&
      slurm::submit_body(*request) == memory.refused_body) {
    facts.refusal = memory.refusal;
  }
  if (memory.hindrance && now < memory.hindered_until) facts.hindrance = memory.hindrance;
  facts.view_is_fresh = facts.view != nullptr && facts.view->as_of >= now - kFresh;
  facts.bind_accepted =
      memory.bind_accepted_at && now < *memory.bind_accepted_at + kBindShowsWithin;
  return facts;
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
    facts.node_not_now =
        bridge::explain(Cause::node_cannot,
                        fmt::format("Slurm job {} has node {}, which cannot take the pod yet: {}.",
                                    *facts.named,
                                    facts.node->value(),
                                    *now));
  }
}

net::Task<Again> Scheduler::act(std::shared_ptr<const Pod> pod, Memory& memory, Step step) {
  if (std::holds_alternative<LookForJob>(step)) co_return co_await look_for_job(memory);
  if (auto* make = std::get_if<Submit>(&step))
    co_return co_await submit(pod, memory, std::move(make->request));
  if (auto* name = std::get_if<Label>(&step)) co_return co_await label(pod, memory, name->job);
  if (auto* place = std::get_if<Bind>(&step)) co_return co_await bind(pod, memory, *place);
  if (auto* again = std::get_if<StartOver>(&step))
    co_return co_await start_over(pod, memory, *again);
  if (auto* back = std::get_if<GiveBack>(&step))
    co_return co_await give_back(pod, memory, std::move(*back));
  if (auto* surplus = std::get_if<CancelOwn>(&step)) {
    std::optional<OwnJob>& own =
        memory.made && memory.made->id == surplus->job ? memory.made : memory.returned;
    const bool done = co_await take_back(pod->metadata.key(), memory.uid, *own);
    if (!done) co_return Again::after_backoff();
    own.reset();
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
  if (request.required_nodes.empty()) {
    if (!picture_.slurm_nodes().synced()) co_return Again::after(kLookAgainAfter);
    if (auto hindrance = co_await restrict_nodes(pod, memory, request)) {
      memory.hindrance = std::move(hindrance);
      memory.hindered_until = links_.loop.in(kLookAtHinderedAfter);
      co_return Again::now();
    }
    memory.hindrance.reset();
  }
  const bool names_nodes = !request.excluded_nodes.empty();
  auto made = co_await links_.slurm.submit(std::move(request), links_.loop.in(kCallTimeout));
  if (made.ok()) {
    memory.made = OwnJob{*made, comment};
    memory.refusal.reset();
    picture_.mirror().submitted(*made, comment);
    links_.tally.done("submit");
    links_.log.info("submitted",
                    {{"pod", pod->metadata.key().to_string()}, {"job", made->value()}});
    co_return Again::now();
  }
  const Error& error = made.error();
  if (names_nodes && error.code() == slurm::kInvalidNodeName) {
    // A node that we leave out was taken out of Slurm meanwhile: our list is old.
    picture_.slurm_nodes().hurry();
    co_return failed("submit", *pod, error);
  }
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

net::Task<std::optional<Explanation>> Scheduler::restrict_nodes(std::shared_ptr<const Pod> pod,
                                                                Memory& memory,
                                                                slurm::JobRequest& request) {
  auto volumes = co_await volumes_.of(*pod);
  if (!volumes.ok()) co_return bridge::explain(Cause::volumes_missing, volumes.error().message());
  Needs needs{*pod, request.partition, *std::move(volumes), {}};
  std::erase_if(memory.avoid, [&](const auto& entry) { return entry.second < links_.loop.now(); });
  for (const auto& [name, until] : memory.avoid) needs.avoid.insert(name);

  std::vector<std::shared_ptr<const kube::Node>> kept;  // for as long as candidates name them
  std::vector<Candidate> candidates;
  for (const slurm::SlurmNodeName& name : picture_.slurm_nodes().names()) {
    kept.push_back(picture_.kubernetes_node(name));
    const kube::Node* node = kept.back().get();
    candidates.push_back({*picture_.slurm_nodes().find(name),
                          node,
                          node ? picture_.usage().without_ours(*node) : workload::NodeRoom()});
  }
  Exclusions out = exclusions(needs, candidates);
  if (out.left == 0 && !out.nodes.empty()) {
    co_return bridge::explain(Cause::no_node_fits,
                              fmt::format("No node can take this pod: {}.", out.words()));
  }
  request.excluded_nodes = std::move(out.nodes);
  co_return std::nullopt;
}

net::Task<Again> Scheduler::label(std::shared_ptr<const Pod> pod,
                                  Memory& memory,
                                  slurm::JobId job) {
  auto written = co_await patch(*pod, label_patch(*pod, job, links_.scheduler_name));
  if (!written.ok()) co_return failed("label", *pod, written.error());
  if (memory.made && memory.made->id == job) memory.made.reset();
  links_.tally.done("label");
  picture_.mirror().hurry();
  co_return Again::now();
}

net::Task<Again> Scheduler::bind(std::shared_ptr<const Pod> pod, Memory& memory, Bind step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (has_claims(*pod)) {
    auto waits = co_await volumes_in_the_way(pod, memory, step);
    if (waits) co_return *waits;
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
                                         links_.loop.in(kCallTimeout));
  if (!bound.ok()) {
    picture_.count_anew(key, pod->metadata.uid);
    co_return failed("bind", *pod, bound.error());
  }
  memory.bind_accepted_at = links_.loop.now();
  links_.tally.done("bind");
  links_.log.info(
      "bound", {{"pod", key.to_string()}, {"node", step.node.value()}, {"job", step.job.value()}});
  co_return Again::after(kBindShowsWithin);
}

// Empty when the pod can be bound to that node as far as its volumes are concerned.
net::Task<std::optional<Again>> Scheduler::volumes_in_the_way(std::shared_ptr<const Pod> pod,
                                                              Memory& memory,
                                                              Bind step) {
  const auto node = picture_.nodes().find({"", step.node.value()});
  if (!node) co_return Again::after(kLookAgainAfter);
  const auto ready = co_await volumes_.prepare(*pod, *node);
  const slurm::JobView* view = picture_.mirror().find(step.job);
  if (ready.ok() && *ready) {
    const bool fresh = view != nullptr && view->as_of >= links_.loop.now() - kFresh;
    co_return fresh ? std::nullopt : std::optional(Again::now());
  }
  const bool never = !ready.ok() && ready.error().is(Kind::conflict);
  if (!ready.ok() && !never) co_return failed("prepare volumes", *pod, ready.error());
  std::string words =
      never ? ready.error().message()
            : fmt::format("its volumes are being made for node {}", step.node.value());
  const bool too_long =
      memory.held_since && *memory.held_since + links_.live.hold <= links_.loop.now();
  if (never || too_long) {
    if (view == nullptr || view->nodes.empty()) co_return Again::after(kLookAgainAfter);
    co_return co_await give_back(pod, memory, {step.job, view->nodes.front(), std::move(words)});
  }
  co_return co_await wait(pod, memory, bridge::explain(Cause::volumes_pending, std::move(words)));
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

net::Task<Again> Scheduler::give_back(std::shared_ptr<const Pod> pod,
                                      Memory& memory,
                                      GiveBack step) {
  const std::string* comment = picture_.mirror().comment_of(step.job);
  if (comment == nullptr) co_return Again::after(kLookAgainAfter);
  OwnJob own{step.job, *comment};
  // Off the pod first: a pod that names a cancelled job is one that nobody wants any more.
  auto written = co_await patch(*pod, unlabel_patch(*pod));
  if (!written.ok()) co_return failed("give back", *pod, written.error());
  memory.returned = std::move(own);
  memory.given_back.insert(step.job);
  memory.avoid[step.node] = links_.loop.in(kAvoidFor);
  memory.held_since.reset();
  links_.tally.done("give back");
  links_.log.info("giving the job back",
                  {{"pod", pod->metadata.key().to_string()},
                   {"job", step.job.value()},
                   {"because", step.because}});
  links_.events.record({subject(*pod),
                        kube::Severity::warning,
                        "NodeGivenBack",
                        fmt::format("Slurm job {} on {} is given back, and another one is made "
                                    "without that node: {}",
                                    step.job,
                                    step.node,
                                    step.because)});
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
net::Task<bool> Scheduler::take_back(kube::ObjectKey key, kube::Uid uid, OwnJob own) {
  const slurm::JobId job = own.id;
  const auto named = co_await names_it(key, uid, job);
  if (!named.ok()) {
    note_failed_step(links_, "take back", key, named.error());
    co_return false;
  }
  if (*named) co_return true;
  const IsMeant is_what_we_made = [comment = own.comment](std::string_view says) {
    return says == comment;
  };
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
                                    Memory& memory,
                                    Explanation why) {
  // Said once is enough: another process may know better by now, and its words stand then.
  if (shows(*pod, why) || (memory.explained == why && is_explained(*pod)))
    co_return Again::on_change();
  const base::Instant due = memory.first_seen + kExplainAfter;
  if (links_.loop.now() < due) co_return Again::after(due - links_.loop.now());

  auto answer =
      co_await links_.kube.patch(kube::object_path(kube::kPods, pod->metadata.key(), "status"),
                                 kube::PatchType::strategic,
                                 condition_patch(*pod, why),
                                 links_.loop.in(kCallTimeout));
  if (!answer.ok()) co_return failed("explain", *pod, answer.error());
  links_.tally.done("explain");
  memory.explained = why;
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
