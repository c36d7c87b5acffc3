// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/links.h"
#include "slurm/mirror_state.h"

#include <memory>
#include <string>

namespace bridge {

enum class Role { all, scheduler, controllers };

struct InstanceOptions {
  Role role = Role::all;
  std::string scheduler_name;
  workload::JobDefaults defaults;
  slurm::MirrorOptions mirror;
};

// One running bridge: the chosen roles on one picture of both systems. The daemon runs one, the
// simulation many.
//
// Expects     that loop and clients outlive it; run() as a task of a group that ends before it.
// Guarantees  acts through the two clients only; keeps nothing that the next instance would need.
class Instance {
 public:
  Instance(net::Loop& loop,
           kube::Client& kube,
           slurm::Client& slurm,
           base::Log log,
           InstanceOptions options);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  // Learns who it is, then works until its task is cancelled; every task of its own has ended then.
  net::Task<void> run();

 private:
  // What exists once both systems have been reached.
  struct Parts;

  net::Task<base::Result<void>> start();
  net::Task<base::Result<std::string>> cluster_id();
  net::Task<base::Result<slurm::ApiVersion>> slurm_version();

  net::Loop& loop_;
  kube::Client& kube_;
  slurm::Client& slurm_;
  base::Log log_;
  InstanceOptions options_;
  std::unique_ptr<Parts> parts_;
  net::TaskGroup tasks_;
};

}  // namespace bridge
