// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include "json/pointer.h"
#include "models/kube/json.h"
#include "operator/workers/plan_workers.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace opsim {
namespace {

using namespace std::chrono_literals;
using models::kube::text_at;

const std::string kCluster = "/apis/slurm.nebius.ai/v1/namespaces/hpc/slurmclusters";

class History {
 public:
  explicit History(std::uint64_t seed) : world_(seed) {}

  net::Task<void> run() {
    create_cluster();
    restart_operator();
    co_await pass(world_.chance.between(0s, 40s));
    const std::uint64_t actions = 4 + world_.chance.below(16);
    for (std::uint64_t done = 0; done < actions; ++done) {
      act();
      co_await pass(world_.chance.between(0s, 25s));
    }
    co_await heal();
    co_await check_desired_state();
    if (world_.breaches().empty()) co_await check_idle();
    if (world_.breaches().empty()) co_await check_deletion();
  }

  Outcome outcome() {
    world_.run(world_.kill_operator());
    Outcome outcome;
    for (const Broken& broken : world_.breaches())
      outcome.breaches.push_back(fmt::format("{}: {}", broken.guarantee, broken.text));
    outcome.timeline = world_.timeline();
    outcome.operator_writes = world_.operator_writes();
    return outcome;
  }
  World& world() { return world_; }

 private:
  net::Task<void> pass(base::Duration time) {
    const base::Instant end = world_.loop.in(time);
    while (world_.loop.now() < end) {
      co_await world_.step();
      if (!world_.operator_runs() && starts_at_ == base::kNever)
        starts_at_ = world_.loop.in(world_.chance.between(0s, 20s));
      if (!world_.operator_runs() && world_.loop.now() >= starts_at_) restart_operator();
    }
  }

  void create_cluster() {
    size_ = static_cast<int>(world_.chance.below(5));
    world_.actors.send(
        "POST",
        kCluster,
        fmt::format(
            R"({{"metadata":{{"name":"demo"}},"spec":{{"slurmNodes":{{"worker":{{"size":{}}}}}}}}})",
            size_));
    world_.note(fmt::format("user      creates a cluster with {} workers", size_));
  }

  void restart_operator() {
    auto faults = std::make_shared<Faults>();
    if (!healed_) {
      if (world_.chance.one_in(2)) faults->kill_at = 1 + world_.chance.below(150);
      faults->kill_after_effect = world_.chance.one_in(2);
      if (world_.chance.one_in(3)) faults->one_lost_in = 5 + world_.chance.below(40);
    }
    starts_at_ = base::kNever;
    world_.start_operator(std::move(faults));
  }

  void patch(std::string body) { world_.actors.send("PATCH", kCluster + "/demo", std::move(body)); }

  void scale() {
    size_ = static_cast<int>(world_.chance.below(6));
    world_.note(fmt::format("user      scales to {}", size_));
    patch(fmt::format(R"({{"spec":{{"slurmNodes":{{"worker":{{"size":{}}}}}}}}})", size_));
  }

  std::optional<std::string> some_worker() {
    const std::vector<std::string> workers = world_.actors.workers();
    if (workers.empty()) return {};
    return workers[world_.chance.below(workers.size())];
  }

  void hurt_worker() {
    const auto worker = some_worker();
    if (!worker) return;
    switch (world_.chance.below(3)) {
      case 0: world_.note("kubelet   fails " + *worker); return world_.actors.fail_pod(*worker);
      case 1:
        world_.note("kubelet   restarts slurmd of " + *worker);
        return world_.actors.restart_container(*worker);
      default:
        world_.note("user      deletes " + *worker);
        return world_.actors.delete_pod(*worker);
    }
  }

  void admin_drains() {
    const auto worker = some_worker();
    if (!worker || !world_.slurm.nodes().contains(*worker)) return;
    world_.note("admin     drains " + *worker);
    world_.slurm.drain(*worker, "disk is broken");
    world_.drained_by_admin.insert(*worker);
  }

  void admin_undrains() {
    for (const std::string& name : world_.drained_by_admin) {
      const auto node = world_.slurm.nodes().find(name);
      if (node != world_.slurm.nodes().end() && node->second.reason == "disk is broken")
        world_.slurm.resume(name);
    }
    world_.drained_by_admin.clear();
  }

  void set_custom(std::string_view line) {
    patch(fmt::format(R"({{"spec":{{"customSlurmConfig":"{}"}}}})", line));
  }

  void act() {
    switch (world_.chance.below(9)) {
      case 0:
      case 1:
      case 2: return scale();
      case 3:
      case 4: return hurt_worker();
      case 5: return world_.chance.one_in(2) ? admin_drains() : admin_undrains();
      case 6:
        world_.slurm_reachable = !world_.slurm_reachable;
        world_.unreachable_since = world_.loop.now();
        return world_.note(world_.slurm_reachable ? "network   Slurm answers"
                                                  : "network   Slurm does not answer");
      case 7: world_.note("fault     the operator is killed"); return world_.request_kill();
      default:
        world_.note("user      changes the configuration");
        return set_custom(world_.chance.one_in(3) ? "KilWait=30" : "KillWait=30");
    }
  }

  net::Task<void> heal() {
    world_.note("--- no more faults");
    healed_ = true;
    world_.slurm_reachable = true;
    world_.jobs_start = false;
    admin_undrains();
    set_custom("KillWait=31");
    if (world_.operator_runs()) co_await world_.kill_operator();
    restart_operator();
  }

  // What is missing of the desired state; empty: nothing.
  std::string missing() const {
    const std::vector<std::string> workers = world_.actors.workers();
    if (workers.size() != static_cast<std::size_t>(size_))
      return fmt::format("{} workers exist, {} are desired", workers.size(), size_);
    for (const std::string& worker : workers) {
      const auto node = world_.slurm.nodes().find(worker);
      if (node == world_.slurm.nodes().end()) return worker + " is not registered";
      if (node->second.down || node->second.drain || !node->second.responding)
        return fmt::format("{} is not usable: {}", worker, node->second.reason);
    }
    if (world_.slurm.nodes().size() != workers.size())
      return fmt::format("Slurm has {} nodes", world_.slurm.nodes().size());
    const json::Value* cluster = world_.find("slurmclusters", "hpc", "demo");
    const std::string phase(text_at(*cluster, {"status", "phase"}));
    if (size_ > 0 && phase != "Available") return "the phase is " + phase;
    return {};
  }

  // A job that Slurm shows as running although its slurmd is gone; empty: there is none. A job that
  // began right before its slurmd ended cannot be told from one of the new slurmd: clocks differ.
  std::string ghost() const {
    constexpr auto kTolerance = 7s;
    for (const SimJob& job : world_.slurm.jobs()) {
      const auto node = world_.slurm.nodes().find(job.node);
      const bool is_young =
          node != world_.slurm.nodes().end() &&
          base::WallTime(std::chrono::seconds(node->second.slurmd_start)) - job.started <
              kTolerance;
      if (world_.actors.running_slurmd(job.node) != job.pod_uid && !is_young)
        return fmt::format("job {} runs on {}, whose slurmd is gone", job.id, job.node);
    }
    return {};
  }

  net::Task<void> check_desired_state() {
    const base::Instant end = world_.loop.in(10min);
    while ((!missing().empty() || !ghost().empty()) && world_.loop.now() < end)
      co_await world_.step();
    if (const std::string lacking = missing(); !lacking.empty()) world_.broken("O4", lacking);
    if (const std::string left = ghost(); !left.empty()) world_.broken("O6", left);
  }

  net::Task<void> check_idle() {
    co_await pass(3min);  // the last jobs end, Events are aggregated
    const std::uint64_t before = world_.operator_writes();
    co_await pass(5min);
    if (world_.operator_writes() != before)
      world_.broken(
          "O5", fmt::format("{} writes while nothing changes", world_.operator_writes() - before));
  }

  net::Task<void> check_deletion() {
    world_.note("user      deletes the cluster");
    world_.actors.send("DELETE", kCluster + "/demo");
    co_await pass(2min);
    for (const char* plural : {"pods",
                               "statefulsets",
                               "deployments",
                               "services",
                               "configmaps",
                               "serviceaccounts",
                               "networkpolicies",
                               "poddisruptionbudgets"}) {
      for (const json::Value* object : world_.server.all(plural)) {
        if (text_at(*object, {"metadata", "labels", "app.kubernetes.io/instance"}) == "demo")
          world_.broken(
              "O7", fmt::format("{} {} is left", plural, text_at(*object, {"metadata", "name"})));
      }
    }
  }

  World world_;
  int size_ = 0;
  bool healed_ = false;
  base::Instant starts_at_ = base::kNever;
};

}  // namespace

Outcome run_history(std::uint64_t seed) {
  History history(seed);
  history.world().run(history.run());
  return history.outcome();
}

}  // namespace opsim
