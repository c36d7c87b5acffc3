// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faulty_transport.h"
#include "kube/testing/model.h"
#include "kube_actors.h"
#include "operator/process/operator.h"
#include "sim/chance.h"
#include "slurm_model.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace opsim {

// A guarantee that was broken, with the moment.
struct Broken {
  std::string guarantee;  // "O1"
  std::string text;
};

class World;

// One running operator. It ends without cleaning up, as a killed process does.
class OperatorProcess {
 public:
  OperatorProcess(World& world, std::shared_ptr<Faults> faults);
  net::Task<void> end();

 private:
  std::shared_ptr<Faults> faults_;
  FaultyTransport to_kube_;
  kube::Client client_;
  slurmop::process::Operator operator_;
  net::TaskGroup tasks_;
};

// Kubernetes, Slurm, the operator and its faults, on virtual time.
//
// Guarantees  every write of the operator is checked against the guarantees O1 to O3; the others are
//             checked at the end of a history (history.cpp).
class World : public kube::testing::ModelWorld {
 public:
  explicit World(std::uint64_t seed);
  ~World();

  void start_operator(std::shared_ptr<Faults> faults);
  net::Task<void> kill_operator();
  bool operator_runs() const { return process_ != nullptr; }
  bool kill_requested() const { return kill_requested_; }
  void request_kill() { kill_requested_ = true; }

  // Everything that happens around the operator within one step of time.
  net::Task<void> step();

  void note(std::string text);
  void broken(std::string guarantee, std::string text);
  const std::vector<Broken>& breaches() const { return breaches_; }
  const std::vector<std::string>& timeline() const { return timeline_; }
  std::uint64_t operator_writes() const { return operator_writes_; }

  sim::Chance chance;
  SlurmModel slurm;
  KubeActors actors;
  bool slurm_reachable = true;
  base::Instant unreachable_since{};
  bool jobs_start = true;
  std::set<std::string> drained_by_admin;
  std::string rejected_config;  // hash that the agent rejects

 private:
  void watch_writes();
  void check_pod_write(const models::kube::ObjectWrite& write);
  void check_secret_write(const models::kube::ObjectWrite& write);
  void check_node_change(const std::string& node, const SimNode& before, std::string_view state);
  void start_jobs();

  std::unique_ptr<OperatorProcess> process_;
  bool kill_requested_ = false;
  std::vector<Broken> breaches_;
  std::vector<std::string> timeline_;
  std::uint64_t operator_writes_ = 0;
  std::set<std::string> secrets_;
};

// slurmrestd and the agent of the cluster, as transports.
class SimEndpoints final : public slurmop::process::Endpoints {
 public:
  SimEndpoints(World& world, std::shared_ptr<Faults> faults)
      : world_(world), faults_(std::move(faults)) {}

  std::optional<slurmop::process::Address> slurmrestd(
      const kube::ObjectKey& cluster) const override;
  std::optional<slurmop::process::Address> agent(const kube::ObjectKey& cluster) const override;
  std::unique_ptr<net::http::Transport> connect(const slurmop::process::Address& address) override;

 private:
  World& world_;
  std::shared_ptr<Faults> faults_;
};

}  // namespace opsim
