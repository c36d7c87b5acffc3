// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include "base/rfc3339.h"
#include "invariants/request_target.h"
#include "json/value.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

using namespace std::chrono_literals;

// Time to settle after the last fault.
constexpr auto kSettlesWithin = 300s;
constexpr auto kSettlesSlowlyWithin = 900s;  // if Slurm needs seconds for each answer
constexpr auto kLookEvery = 2s;
// The longest time that a process is stopped.
constexpr auto kLongestAway = 420s;
// Time until another process has acquired the Lease.
constexpr auto kLeaseTaken = 30s;
// Longer than any period of the bridge, such as its scan of all jobs.
constexpr auto kQuietTime = 150s;
// A little more than the time for which a job must be unknown to Slurm before its pod is deleted.
constexpr auto kAbsenceCounts = 130s;
constexpr const char* kFailOver = "a backup slurmctld has an old state for a while";
// Time for a second process to finish an action that the first process has just done.
constexpr auto kLastWords = 5s;
// Time until all processes have received a bound pod by their watches.
constexpr auto kSeenByAll = 5s;
// Time until a process detects a stalled watch by its silence, and a request without an answer by
// its deadline.
constexpr auto kSilenceNoticed = 100s;

// The bridge sends a cancel or an update within this time after it read the job's identity
// (bridge/runtime/role_context.h). The request may take effect later, within kLookIsFollowed.
constexpr auto kCallTimeout = 15s;
constexpr auto kLookIsFollowed = 2 * kCallTimeout + 30s;

// Within one instant; more rounds mean an endless loop.
constexpr std::uint64_t kMostRounds = 100'000;

constexpr World::Room kWholeNode{8, 16};

models::slurm::SlurmOptions slurm_options(const Plan& plan) {
  models::slurm::SlurmOptions options;
  for (std::uint32_t i = 0; i < plan.nodes; ++i) {
    models::slurm::SlurmNode node;
    node.name = fmt::format("{}{}", plan.renamed ? "s" : "n", i);
    node.gres["gpu"] = 2;
    options.nodes.push_back(node);
  }
  options.users = {"slurm", "root", "alice", "bob"};
  options.groups = {"slurm", "root", "staff"};
  options.reservations["next-week"] = {{"alice"}};
  options.enforce_limits = plan.enforces;
  options.nodes_answer = !plan.deaf;
  options.partitions.insert(
      options.partitions.end(), plan.partitions.begin(), plan.partitions.end());
  return options;
}

net::http::Request post(std::string path, std::string body) {
  net::http::Request request("POST", std::move(path), std::move(body));
  request.headers.emplace_back("Content-Type", "application/json");
  return request;
}

}  // namespace

World::World(const Plan& plan, Record record)
    : plan_(plan),
      chance_(plan.seed ^ 0x5bd1e995U),
      timeline_(clock_, record == Record::yes),
      slurm_(clock_, slurm_options(plan)),
      invariants_(make_invariants()) {
  if (plan_.extra) invariants_.push_back(plan_.extra());
  faults_.set_answer_time(System::slurm, plan_.slurm_takes);
  network_.connect(kube_, slurm_);
  listen();
  populate();
  start_processes();
}

World::~World() {
  for (const auto& process : processes_) process->kill();
}

void World::listen() {
  kube_.on_write([this](const models::kube::ObjectWrite& write) { object_changed(write); });
  slurm_.on_change([this](const models::slurm::JobChange& change) {
    if (change.what == "submitted" || change.what == "returned") {
      if (change.what == "submitted") makers_[change.job->id] = acting_;
      for (const std::string& uid : members(*change.job)) {
        for (Loss& loss : losses_) loss.jobs.erase({change.job->id, uid});
      }
    }
    if (timeline_.on() && acting_.empty()) {
      timeline_.add("Slurm",
                    fmt::format("job {} {}: {} {}",
                                change.job->id,
                                change.what,
                                change.job->state,
                                fmt::join(change.job->nodes, ",")));
    }
    for (const auto& invariant : invariants_) invariant->job(*this, change);
  });
  NetworkHooks hooks;
  hooks.before = [this](const std::string& sender, System, const net::http::Request&) {
    return before_request(sender);
  };
  hooks.arrives = [this](const Exchange& exchange) {
    acting_ = exchange.sender;
    acting_since_ = exchange.sent_at;
  };
  hooks.after = [this](const Exchange& exchange, System system, const net::http::Response& answer) {
    after_request(exchange.sender,
                  {exchange.sender,
                   system,
                   exchange.request,
                   answer,
                   exchange.sent_at,
                   exchange.answered_at});
    acting_.clear();
  };
  network_.set_hooks(std::move(hooks));
}

void World::populate() {
  (void)as_user(
      post("/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", kNamespace)));
  for (std::uint32_t i = 0; i < plan_.nodes; ++i) add_node(fmt::format("n{}", i));
  const auto add_class = [this](std::string_view name, std::string_view provisioner) {
    (void)as_user(post("/apis/storage.k8s.io/v1/storageclasses",
                       fmt::format(R"({{"metadata":{{"name":"{}"}},"provisioner":"{}",)"
                                   R"("volumeBindingMode":"WaitForFirstConsumer"}})",
                                   name,
                                   provisioner)));
  };
  add_class("made", "example.com/disks");
  add_class("local", "kubernetes.io/no-provisioner");
  if (const json::Value* system = kube_.find({"namespaces", "", "kube-system"}))
    cluster_ = text_at(*system, {"metadata", "uid"});
}

void World::add_node(const std::string& name) {
  const auto amounts = [](const Room& room) {
    return fmt::format(R"({{"cpu":"{}","memory":"{}Gi","nvidia.com/gpu":"2","pods":"110"}})",
                       room.cpus,
                       room.memory_gib);
  };
  (void)as_user(post(
      "/api/v1/nodes",
      fmt::format(R"({{"metadata":{{"name":"{0}","labels":{{"kubernetes.io/hostname":"{0}",)"
                  R"("disk":"{1}"{2}}}}},"status":{{"capacity":{3},"allocatable":{4},)"
                  R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
                  name,
                  disk_of(name),
                  plan_.renamed
                      ? fmt::format(R"(,"slinky.slurm.net/slurm-nodename":"{}")", slurm_name(name))
                      : "",
                  amounts(kWholeNode),
                  amounts(allocatable(name)))));
}

// Alternates between the nodes.
std::string World::disk_of(const std::string& node) {
  return (node.back() - '0') % 2 == 0 ? "ssd" : "hdd";
}

World::Room World::allocatable(const std::string& node) const {
  Room room = kWholeNode;
  if (!plan_.uneven) return room;
  const int number = node.back() - '0';
  if (number % 3 == 1) room.cpus -= 1;
  if (number % 3 == 2) room.cpus -= 4;
  if (number % 2 == 1) room.memory_gib -= 2;
  return room;
}

World::Room World::taken(const std::string& node,
                         const std::function<bool(const PodTruth&)>& counts) const {
  Room all;
  for (const auto& [uid, pod] : pods_) {
    if (pod.node != node || pod.ended() || !counts(pod)) continue;
    all.cpus += pod.cpus;
    all.memory_gib += pod.memory_gib;
  }
  return all;
}

bool World::has_room(const std::string& node, const PodTruth& pod) const {
  const Room all = taken(node, [&](const PodTruth& other) { return other.uid != pod.uid; });
  const Room room = allocatable(node);
  return all.cpus + pod.cpus <= room.cpus && all.memory_gib + pod.memory_gib <= room.memory_gib;
}

std::string World::slurm_name(const std::string& kube_name) const {
  return plan_.renamed ? "s" + kube_name.substr(1) : kube_name;
}

std::string World::kube_name(const std::string& slurm_name) const {
  return plan_.renamed && !slurm_name.empty() ? "n" + slurm_name.substr(1) : slurm_name;
}

base::Instant World::began() const {
  const auto found = began_.find(acting_);
  return found == began_.end() ? base::Instant() : found->second;
}

void World::trouble(base::Duration lasting) {
  troubled_until_ = std::max(troubled_until_, now() + lasting);
}

base::Instant World::troubled_until() const {
  return faults_.any_outage() ? now() : std::max(troubled_until_, faults_.last_hit());
}

void World::start_processes() {
  const auto add = [this](std::string name, bridge::process::Role role) {
    Process::Setup setup;
    setup.name = std::move(name);
    setup.options.role = role;
    setup.options.scheduler_name = kScheduler;
    setup.options.live.defaults.partition = "slurm-bridge";
    setup.options.live.nodes.taint = plan_.seed % 2 == 0;
    if (plan_.topology == Topology::two) {
      setup.options.leadership =
          bridge::process::Leadership{{{std::string(kNamespace), "lease"}}, setup.name};
    }
    processes_.push_back(std::make_unique<Process>(clock_, network_, timeline_, std::move(setup)));
  };
  switch (plan_.topology) {
    case Topology::one: add("bridge", bridge::process::Role::all); break;
    case Topology::two:
    case Topology::doubled:
      add("bridge-a", bridge::process::Role::all);
      add("bridge-b", bridge::process::Role::all);
      break;
    case Topology::separate:
      add("scheduler", bridge::process::Role::scheduler);
      add("controllers", bridge::process::Role::controllers);
      break;
  }
  for (const auto& process : processes_) process->start(chance_.bits());
}

Process* World::process(const std::string& name) {
  const auto found = std::ranges::find(processes_, name, [](const auto& p) { return p->name(); });
  return found == processes_.end() ? nullptr : found->get();
}

// --- changes of the actual state ---

void World::note_who_cordons(const models::kube::ObjectWrite& write) {
  const bool before = write.before != nullptr && is_cordoned(*write.before);
  const bool after = write.after != nullptr && is_cordoned(*write.after);
  if (!after) cordoned_by_us_.erase(write.object.name);
  if (after && !before && !acting_.empty()) cordoned_by_us_.insert(write.object.name);
}

void World::object_changed(const models::kube::ObjectWrite& write) {
  garbage_.look_at(write);
  if (write.object.plural == "nodes") {
    ++kube_node_writes_;
    note_who_cordons(write);
    for (const auto& invariant : invariants_) invariant->node(*this, write.object.name);
  }
  if (write.object.plural == "persistentvolumeclaims")
    volumes_.look_at(write.object.ns, write.object.name);
  if (write.object.plural == "persistentvolumes" && write.after != nullptr)
    volumes_.look_at(std::string(kNamespace), text_at(*write.after, {"spec", "claimRef", "name"}));
  if (write.object.plural != "pods") return;
  std::optional<PodTruth> before;
  std::optional<PodTruth> after;
  if (write.before != nullptr) before = pod_truth(*write.before);
  if (write.after != nullptr) after = pod_truth(*write.after);
  if (after) {
    pods_[after->uid] = *after;
  } else if (before) {
    pods_.erase(before->uid);
  }
  for (const auto& invariant : invariants_) {
    invariant->pod(*this, before ? &*before : nullptr, after ? &*after : nullptr);
  }
  kubelets_.look_at(write.object.ns, write.object.name);
}

void World::later(base::Duration delay, std::function<void()> what) {
  agenda_.in(delay, [this, what = std::move(what)] {
    stirred_at_ = now();
    what();
  });
}

net::http::Response World::as_user(net::http::Request request) {
  const std::string acted = std::exchange(acting_, "");
  net::http::Response answer = kube_.handle(request);
  acting_ = acted;
  return answer;
}

const PodTruth* World::pod(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

const PodTruth* World::pod_named(std::string_view ns, std::string_view name) const {
  for (const auto& [uid, pod] : pods_) {
    if (pod.ns == ns && pod.name == name) return &pod;
  }
  return nullptr;
}

// Cached: read after every change, but few changes concern nodes.
const std::map<std::string, NodeTruth>& World::nodes() const {
  if (nodes_as_of_ == node_changes()) return nodes_;
  nodes_as_of_ = node_changes();
  for (std::uint32_t i = 0; i < plan_.nodes; ++i) {
    const std::string name = fmt::format("n{}", i);
    const auto found = slurm_.nodes().find(slurm_name(name));
    nodes_[name] = node_truth(kube_.find({"nodes", "", name}),
                              found == slurm_.nodes().end() ? nullptr : &found->second);
    nodes_[name].cordoned_by_us = cordoned_by_us_.contains(name);
  }
  return nodes_;
}

const NodeTruth& World::node(const std::string& name) const {
  static const NodeTruth kNowhere;
  const auto found = nodes().find(name);
  return found == nodes().end() ? kNowhere : found->second;
}

// Cached by admin_comment: called often, for few jobs.
const std::vector<std::string>& World::members(const models::slurm::SlurmJob& job) const {
  if (const auto found = reference_pods_.find(job.admin_comment); found != reference_pods_.end())
    return reference_members(job, found->second);
  const auto [place, is_new] = members_.try_emplace(job.admin_comment);
  std::vector<std::string>& uids = place->second;
  if (!is_new) return uids;
  const auto comment = json::parse(job.admin_comment);
  if (!comment.ok() || comment->as_object() == nullptr) return uids;
  const auto texts = [&](std::string_view key) {
    std::vector<std::string> all;
    const json::Value* list = comment->find(key);
    if (list == nullptr || list->as_array() == nullptr) return all;
    for (const json::Value& one : *list->as_array()) all.push_back(*one.as_string());
    return all;
  };
  if (comment->as_object()->size() == 1 && !texts("pods").empty())
    return reference_members(job, reference_pods_[job.admin_comment] = texts("pods"));
  if (text_at(*comment, {"cluster"}) == cluster_ && text_at(*comment, {"scheduler"}) == kScheduler)
    uids = texts("uids");
  return uids;
}

// Found by the names in the job and the label of the pods, as the reference does.
const std::vector<std::string>& World::reference_members(
    const models::slurm::SlurmJob& job, const std::vector<std::string>& listed) const {
  std::vector<std::string> uids;
  for (const auto& [uid, pod] : pods_) {
    const bool is_listed = std::ranges::find(listed, pod.full_name()) != listed.end();
    if (pod.job == job.id && is_listed) uids.push_back(uid);
  }
  std::vector<std::string>& kept = reference_members_[job.id];
  if (kept != uids) kept = std::move(uids);
  return kept;
}

bool World::is_of(const models::slurm::SlurmJob& job, const std::string& uid) const {
  const auto& uids = members(job);
  return std::ranges::find(uids, uid) != uids.end();
}

const std::string& World::maker(std::uint32_t job) const {
  static const std::string kNobody;
  const auto found = makers_.find(job);
  return found == makers_.end() ? kNobody : found->second;
}

bool World::slurm_crashed() const {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"slurmctld crashes",
                                         "slurmctld loses its state",
                                         "slurmctld comes back with an old state",
                                         kFailOver},
      [this](const char* name) { return steps_done_.contains(name); });
}

void World::broken(const Invariant& invariant, std::string what) {
  if (violation_) return;
  timeline_.add("", fmt::format("{} broken: {}", invariant.name(), what));
  violation_ = {std::string(invariant.name()), std::move(what), now()};
}

// --- bridge processes and their crashes ---

void World::restart_in(Process& process, base::Duration delay) {
  agenda_.in(delay, [this, &process] {
    if (process.runs()) return;
    timeline_.add(process.name(), "starts");
    trouble();
    began_[process.name()] = now();
    process.start(chance_.bits());
  });
}

void World::kill(Process& process, base::Duration restart_after) {
  process.kill();
  restart_in(process, restart_after);
}

void World::lose_slurm_state() {
  Loss all;
  for (const auto& [id, job] : slurm_.jobs()) {
    for (const std::string& uid : members(job)) all.jobs.insert({id, uid});
  }
  losses_.push_back(std::move(all));
  slurm_.restart_empty();
}

World::Loss World::loss_but_for(
    const std::function<bool(const models::slurm::SlurmJob&)>& is_kept) const {
  Loss loss;
  const std::string seen = base::format_rfc3339(clock_.wall() - kSeenByAll);
  for (const auto& [uid, pod] : pods_) {
    const models::slurm::SlurmJob* job = pod.job ? slurm_.find(*pod.job) : nullptr;
    if (!pod.bound() || job == nullptr || !is_of(*job, uid)) continue;
    if (is_kept(*job)) {
      ++loss.kept;
    } else if (still_runs(*pod.job, uid) && pod.bound_since <= seen) {
      loss.jobs.insert({*pod.job, uid});
    }
  }
  return loss;
}

void World::return_slurm_to(base::Instant then) {
  Loss loss =
      loss_but_for([&](const models::slurm::SlurmJob& job) { return job.submitted_at <= then; });
  // A process with a stalled watch does not know all pods and cannot count the lost jobs.
  if (!network_.any_silent()) losses_.push_back(std::move(loss));
  slurm_.restart_losing(then);
}

void World::fail_over(base::Instant then) {
  Primary primary{slurm_.saved_state(), makers_, {}};
  for (const auto& [uid, pod] : pods_) {
    const models::slurm::SlurmJob* job = pod.job ? slurm_.find(*pod.job) : nullptr;
    if (job == nullptr || !job->live() || !is_of(*job, uid)) continue;
    if (still_runs(*pod.job, uid)) primary.running.insert({*pod.job, uid});
  }
  return_slurm_to(then);
  primary_ = std::move(primary);
  steps_done_.try_emplace(std::string(kFailOver));  // for slurm_crashed(); tests call this directly
}

void World::fail_back() {
  Primary primary = *std::exchange(primary_, std::nullopt);
  makers_ = std::move(primary.makers);
  const auto is_kept = [&](const models::slurm::SlurmJob& job) {
    const auto found = primary.state.jobs.find(job.id);
    return found != primary.state.jobs.end() && found->second.admin_comment == job.admin_comment;
  };
  Loss loss = loss_but_for(is_kept);
  // Includes pods that were bound a moment ago, which a Loss does not count.
  for (const auto& [uid, pod] : pods_) {
    const models::slurm::SlurmJob* job = pod.job ? slurm_.find(*pod.job) : nullptr;
    if (job != nullptr && is_of(*job, uid) && !is_kept(*job) && still_runs(*pod.job, uid))
      lost_at_failback_.insert({*pod.job, uid});
  }
  // Jobs that the backup did not have and that return count as kept.
  for (const auto& [id, uid] : primary.running) {
    const models::slurm::SlurmJob* of_backup = slurm_.find(id);
    const bool counted = of_backup != nullptr && is_of(*of_backup, uid);
    if (!counted && still_runs(id, uid)) ++loss.kept;
  }
  if (!network_.any_silent()) losses_.push_back(std::move(loss));
  slurm_.restart_with(std::move(primary.state));
}

bool World::still_runs(std::uint32_t job, const std::string& uid) const {
  const PodTruth* found = pod(uid);
  return found != nullptr && found->bound() && !found->ended() && !found->deleting &&
         found->job == job;
}

// Lost jobs of pods that have ended are not counted: a process may not have counted them either.
bool World::vanished(std::uint32_t job, const std::string& uid) const {
  return std::ranges::any_of(losses_, [&](const Loss& loss) {
    if (!loss.jobs.contains({job, uid})) return false;
    const auto others = std::ranges::count_if(loss.jobs, [&](const auto& lost) {
      return lost.second != uid && still_runs(lost.first, lost.second);
    });
    return 1 + static_cast<std::size_t>(others) > loss.kept;
  });
}

void World::crash_at_request(const std::string& process, std::uint64_t skip, CrashPoint point) {
  crashes_.push_back({process, skip, point});
}

// This runs inside a call of the process, which cannot be destroyed here. Until kill(), it has no
// effect.
void World::die_now(Process& process) {
  process.sever();
  ++crashed_;
  agenda_.in(0s, [this, &process] {
    timeline_.add(process.name(), "crashes");
    kill(process, chance_.between(100ms, 15s));
  });
}

bool World::before_request(const std::string& sender) {
  ++requests_;
  for (auto crash = crashes_.begin(); crash != crashes_.end(); ++crash) {
    if (crash->process != sender || crash->point != CrashPoint::before_sending) continue;
    if (crash->skip > 0) {
      --crash->skip;
      continue;
    }
    crashes_.erase(crash);
    die_now(*process(sender));
    return false;
  }
  return true;
}

void World::note_look(const Request& request) {
  const auto id = read_job(request);
  if (!id || request.answered == base::kNever) return;
  const auto is_old = [this](const Look& look) { return look.sent + kLookIsFollowed < now(); };
  while (!looks_.empty() && is_old(looks_.front())) looks_.pop_front();
  const models::slurm::SlurmJob* job = slurm_.find(*id);
  looks_.push_back({request.process,
                    *id,
                    request.sent,
                    request.answered,
                    job != nullptr ? std::optional(*job) : std::nullopt});
}

bool World::id_changed_hands(const models::slurm::SlurmJob& job) const {
  const Look* last = nullptr;
  for (const Look& look : looks_) {
    const bool before = look.answered <= acting_since_ && acting_since_ < look.sent + kCallTimeout;
    if (look.process != acting_ || look.job != job.id || !before) continue;
    if (last == nullptr || last->answered <= look.answered) last = &look;
  }
  if (last == nullptr || !last->seen || members(*last->seen).empty()) return false;
  return last->seen->admin_comment != job.admin_comment ||
         last->seen->submitted_at != job.submitted_at;
}

void World::after_request(const std::string& sender, const Request& request) {
  note_look(request);
  for (const auto& invariant : invariants_) invariant->request(*this, request);
  for (auto crash = crashes_.begin(); crash != crashes_.end(); ++crash) {
    if (crash->process != sender || crash->point != CrashPoint::after_the_effect) continue;
    if (crash->skip > 0) {
      --crash->skip;
      continue;
    }
    crashes_.erase(crash);
    if (process(sender)->runs()) die_now(*process(sender));
    return;
  }
}

// --- time ---

base::Instant World::next() const {
  base::Instant earliest = std::min(agenda_.next(), slurm_.next_tick());
  for (const auto& process : processes_) earliest = std::min(earliest, process->next());
  return earliest;
}

// Runs what is due at this instant. Returns false if there was nothing.
bool World::run_this_instant() {
  bool ran = false;
  for (const auto& process : processes_) {
    ran = process->run_ready() || ran;
    if (process->exited()) {
      timeline_.add(process->name(), "ends by itself");
      kill(*process, 1s);
      ran = true;
    }
  }
  if (!violation_ && agenda_.next() <= now()) {
    agenda_.run_next();
    ran = true;
  }
  if (!violation_ && slurm_.next_tick() <= now()) {
    slurm_.tick();
    ran = true;
  }
  return ran;
}

void World::run_until(base::Instant until) {
  while (!violation_) {
    std::uint64_t rounds = 0;
    while (!violation_ && run_this_instant()) {
      if (++rounds < kMostRounds) continue;
      timeline_.add("", "time stands still: a process goes on and on without waiting for anything");
      violation_ = {"time", "stands still: a process goes on and on without waiting", now()};
    }
    for (const auto& invariant : invariants_) invariant->moment(*this);
    const base::Instant when = next();
    if (when > until) break;
    clock_.advance_to(when);
  }
  if (!violation_) clock_.advance_to(until);
}

std::optional<Violation> World::run() {
  for (const Step& step : plan_.steps) {
    agenda_.at(base::Instant(1s) + step.at, [this, &step] {
      std::string what = step.action->apply(*this, step.draw);
      if (!what.empty()) ++steps_done_[std::string(step.action->name)];
      if (step.action->fault) trouble();
      if (what.empty()) what = fmt::format("({}: nothing to do)", step.action->name);
      timeline_.add(step.action->fault ? "trouble" : "user", what);
    });
  }
  run_until(base::Instant(2s) + plan_.length());
  settle();
  return violation_;
}

std::optional<std::string> World::unfinished(const Invariant** whose) {
  for (const auto& invariant : invariants_) {
    if (auto what = invariant->unfinished(*this)) {
      *whose = invariant.get();
      return what;
    }
  }
  return std::nullopt;
}

// Without faults and with all processes running, the world must settle and stay quiet.
void World::settle() {
  if (violation_) return;
  timeline_.add("", "--- nothing breaks any more ---");
  faults_.clear();
  crashes_.clear();
  while (!violation_ && failed_over()) run_until(now() + kLookEvery);
  // Processes that wait for a lost answer must detect the loss first.
  const auto waiting = network_.under_way();
  const auto unnoticed = [&] {
    return network_.any_silent() || std::ranges::any_of(waiting, &Network::is_awaited);
  };
  const base::Instant noticed = now() + kSilenceNoticed;
  while (!violation_ && unnoticed() && now() < noticed) run_until(now() + kLookEvery);
  const base::Instant patience = now() + kLongestAway;
  const bool all_run = everybody_runs();
  while (!violation_ && !everybody_runs() && now() < patience) run_until(now() + kLookEvery);
  if (!all_run) run_until(now() + kLeaseTaken);
  // The bridge deletes a pod for an unknown job only after this time. Wait for it, so that a wrong
  // delete is detected.
  if (slurm_crashed()) run_until(now() + kAbsenceCounts);
  if (!come_to_rest()) return;
  run_until(now() + kLastWords);
  timeline_.add("", "--- settled ---");
  if (!plan_.stays) return;
  quiet_ = true;
  run_until(now() + kQuietTime);
  // Pods and jobs may have ended by themselves during the quiet time.
  (void)come_to_rest();
}

bool World::nobody_runs() const {
  return std::ranges::none_of(processes_, [](const auto& p) { return p->runs() && !p->paused(); });
}

bool World::everybody_runs() const {
  return std::ranges::all_of(processes_, [](const auto& p) { return p->runs() && !p->paused(); });
}

bool World::come_to_rest() {
  const base::Instant give_up =
      now() + (plan_.slurm_takes > 0s ? kSettlesSlowlyWithin : kSettlesWithin);
  const Invariant* whose = nullptr;
  std::optional<std::string> left;
  do {
    run_until(now() + kLookEvery);
    if (violation_) return false;
    left = unfinished(&whose);
  } while ((left || network_.writes_under_way() > 0 || !everybody_runs()) && now() < give_up);
  if (left) broken(*whose, *left);
  return !left;
}

}  // namespace sim
