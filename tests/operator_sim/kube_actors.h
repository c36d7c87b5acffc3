// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/testing/model.h"
#include "sim/chance.h"
#include "slurm_model.h"

#include <map>
#include <set>
#include <string>

namespace opsim {

// The controllers and kubelets of Kubernetes, as far as the operator depends on them: StatefulSets
// and Deployments become ready, worker pods run, register with Slurm and end.
//
// Expects     tick() every few hundred milliseconds of virtual time.
class KubeActors {
 public:
  KubeActors(kube::testing::ModelWorld& world, SlurmModel& slurm, sim::Chance& chance)
      : world_(world), slurm_(slurm), chance_(chance) {}

  void tick();
  // A request of a user or of an actor; writes at this time are not the operator's.
  void send(std::string method, std::string target, std::string body = {});
  bool acting() const { return acting_; }

  // Faults of worker pods; nothing happens if there is no such pod.
  void fail_pod(const std::string& name);  // the kubelet ends it: phase Failed
  void restart_container(const std::string& name);
  void delete_pod(const std::string& name);  // as a user, with the grace period

  std::vector<std::string> workers() const;
  // The slurmd that runs in a pod now: uid and number of restarts; empty if none runs.
  std::string running_slurmd(const std::string& pod) const;

 private:
  struct PodLife {
    base::Instant runs_at{};
    base::Instant registers_at = base::kNever;
    base::Instant ends_at = base::kNever;
    int restarts = 0;
    bool running = false;
    bool failed = false;
  };

  void tend_slowly();
  void tend_pods();
  void tend_workload(const json::Value& object, const std::string& path);
  void tend_controller_pod();
  void tend_pod(const json::Value& pod);
  void run(const std::string& name, PodLife& life);
  void write_status(const std::string& name, const PodLife& life, std::string_view phase);
  void forget_gone_pods(const std::set<std::string>& uids);
  base::Duration some(int least_ms, int most_ms);
  PodLife* find(const std::string& name);

  kube::testing::ModelWorld& world_;
  SlurmModel& slurm_;
  sim::Chance& chance_;
  bool acting_ = false;
  int ticks_ = 0;
  std::map<std::string, PodLife> lives_;           // by uid
  std::map<std::string, std::string> names_;       // uid -> name
  std::map<std::string, base::Instant> ready_at_;  // of workloads, by uid and generation
};

}  // namespace opsim
