// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include "json/pointer.h"
#include "models/kube/json.h"
#include "operator/workers/plan_workers.h"

#include <fmt/format.h>

#include <algorithm>

namespace opsim {
namespace {

using namespace std::chrono_literals;
using models::kube::text_at;
using slurmop::process::Address;

// Answers from a function, after a short time; unreachable while `reachable` is false.
class ModelTransport final : public net::http::Transport {
 public:
  using Answer = std::function<net::http::Response(const net::http::Request&)>;
  using Reachable = std::function<bool()>;

  ModelTransport(net::Loop& loop, Answer answer, Reachable reachable)
      : loop_(loop), answer_(std::move(answer)), reachable_(std::move(reachable)) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant) override {
    CO_TRY_VOID(co_await loop_.sleep_for(5ms));
    if (!reachable_()) co_return base::Error(base::Kind::unreachable, "connection refused");
    co_return answer_(request);
  }
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request,
                                                             base::Instant) override {
    co_return base::Error(base::Kind::unreachable, "no streams here");
  }

 private:
  net::Loop& loop_;
  Answer answer_;
  Reachable reachable_;
};

// A transport that owns the one behind it.
class OwningFaulty final : public net::http::Transport {
 public:
  OwningFaulty(World& world,
               std::unique_ptr<net::http::Transport> behind,
               std::shared_ptr<Faults> faults)
      : behind_(std::move(behind)), front_(world.loop, *behind_, std::move(faults), world.chance) {}
  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override {
    return front_.send(std::move(request), deadline);
  }
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override {
    return front_.open(std::move(request), deadline);
  }

 private:
  std::unique_ptr<net::http::Transport> behind_;
  FaultyTransport front_;
};

net::http::Response agent_status(const World& world) {
  const json::Value* files = world.find("configmaps", "hpc", "demo-slurm-configs");
  const std::string hash =
      files == nullptr ? std::string() : std::string(text_at(*files, {"data", "hash"}));
  const bool rejected = !hash.empty() && hash == world.rejected_config;
  return net::http::Response(
      200,
      {},
      json::Value(json::Object{{"seen", hash},
                               {"active", rejected ? std::string("old") : hash},
                               {"error", rejected ? "line 1" : ""}})
          .dump());
}

slurmop::process::OperatorOptions options() {
  return {.defaults = {}, .namespaces = {}, .workers = 1, .instance = "sim"};
}

}  // namespace

std::optional<Address> SimEndpoints::slurmrestd(const kube::ObjectKey&) const {
  if (world_.find("deployments", "hpc", "rest") == nullptr) return {};
  return Address{"slurmrestd", 6820};
}

std::optional<Address> SimEndpoints::agent(const kube::ObjectKey&) const {
  if (world_.find("pods", "hpc", "controller-0") == nullptr) return {};
  return Address{"agent", 6880};
}

std::unique_ptr<net::http::Transport> SimEndpoints::connect(const Address& address) {
  World& world = world_;
  ModelTransport::Answer answer;
  if (address.host == "agent") {
    answer = [&world](const net::http::Request&) { return agent_status(world); };
  } else {
    answer = [&world](const net::http::Request& request) { return world.slurm.handle(request); };
  }
  return std::make_unique<OwningFaulty>(
      world,
      std::make_unique<ModelTransport>(
          world.loop, std::move(answer), [&world] { return world.slurm_reachable; }),
      faults_);
}

OperatorProcess::OperatorProcess(World& world, std::shared_ptr<Faults> faults)
    : faults_(faults),
      to_kube_(world.loop, world.connections, faults, world.chance),
      client_(to_kube_, world.credentials),
      operator_(kube::Access{world.loop, client_},
                options(),
                [&world, faults](const slurmop::process::Stores&) {
                  return std::make_unique<SimEndpoints>(world, faults);
                }),
      tasks_(world.loop) {
  operator_.start(tasks_);
}

net::Task<void> OperatorProcess::end() {
  faults_->severed = true;
  tasks_.cancel();
  co_await tasks_.join();
}

World::World(std::uint64_t seed) : chance(seed), slurm(clock), actors(*this, slurm, chance) {
  server.add_collection({"slurm.nebius.ai", "v1", "slurmclusters", "SlurmCluster"});
  server.add_collection({"slurm.nebius.ai", "v1alpha1", "nodesets", "NodeSet"});
  server.add_collection({"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"});
  server.add_collection({"networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"});
  actors.send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"hpc"}})");
  actors.send("POST", "/api/v1/nodes", R"({"metadata":{"name":"k1"}})");
  watch_writes();
}

World::~World() {
  if (process_) run(kill_operator());
}

void World::start_operator(std::shared_ptr<Faults> faults) {
  faults->kill = [this] { kill_requested_ = true; };
  process_ = std::make_unique<OperatorProcess>(*this, std::move(faults));
  note("the operator starts");
}

net::Task<void> World::kill_operator() {
  kill_requested_ = false;
  if (!process_) co_return;
  co_await process_->end();
  process_.reset();
  note("the operator is killed");
}

net::Task<void> World::step() {
  (void)co_await loop.sleep_for(250ms);
  if (kill_requested_) co_await kill_operator();
  // Ghost jobs are looked for up to three minutes after a slurmd started (a documented limit).
  if (!slurm_reachable && loop.now() - unreachable_since > 2min) slurm_reachable = true;
  actors.tick();
  slurm.end_jobs();
  if (jobs_start) start_jobs();
}

void World::start_jobs() {
  for (const auto& [name, node] : slurm.nodes()) {
    if (slurm.accepts_jobs(name) && !actors.running_slurmd(name).empty() && chance.one_in(20))
      slurm.start_job(name, chance.between(1s, 90s));
  }
}

void World::note(std::string text) {
  timeline_.push_back(fmt::format(
      "{:10.3f}  {}", std::chrono::duration<double>(loop.now().time_since_epoch()).count(), text));
}

void World::broken(std::string guarantee, std::string text) {
  note(fmt::format("BREAKS {}: {}", guarantee, text));
  breaches_.push_back({std::move(guarantee), std::move(text)});
}

void World::watch_writes() {
  server.on_write([this](const models::kube::ObjectWrite& write) {
    if (actors.acting()) return;
    ++operator_writes_;
    note(fmt::format("operator  {} {} {} {}",
                     write.verb,
                     write.object.plural,
                     write.object.name,
                     write.subresource));
    if (write.object.plural == "pods") check_pod_write(write);
    if (write.object.plural == "secrets") check_secret_write(write);
  });
  slurm.on_change = [this](const std::string& node, const SimNode& before, std::string_view state) {
    note(fmt::format("operator  {} {}", state, node));
    check_node_change(node, before, state);
  };
  slurm.on_killed = [this](const SimJob& job) {
    if (actors.running_slurmd(job.node) == job.pod_uid)
      broken("O1", fmt::format("DOWN of {} ends job {}, which runs", job.node, job.id));
  };
}

// O1: no pod with a running job is deleted.
void World::check_pod_write(const models::kube::ObjectWrite& write) {
  const auto deleting = [](const json::Value* object) {
    return object == nullptr || json::find(*object, {"metadata", "deletionTimestamp"}) != nullptr;
  };
  if (write.before == nullptr || deleting(write.before) || !deleting(write.after)) return;
  const std::string slurmd = actors.running_slurmd(write.object.name);
  for (const SimJob& job : slurm.jobs()) {
    if (job.node == write.object.name && job.pod_uid == slurmd && !slurmd.empty())
      broken("O1", fmt::format("pod {} is deleted while job {} runs", job.node, job.id));
  }
}

// O3: each Secret is created once.
void World::check_secret_write(const models::kube::ObjectWrite& write) {
  if (write.before != nullptr) return broken("O3", "Secret " + write.object.name + " is changed");
  if (!secrets_.insert(write.object.name).second)
    broken("O3", "Secret " + write.object.name + " is created again");
}

// O2: drains of others are kept.
void World::check_node_change(const std::string& node,
                              const SimNode& before,
                              std::string_view state) {
  const bool undone = state == "UNDRAIN" || state == "RESUME";
  if (undone && before.drain && !before.reason.starts_with(slurmop::workers::kReasonPrefix))
    broken("O2", fmt::format("{} of {}, which was drained for: {}", state, node, before.reason));
}

}  // namespace opsim
