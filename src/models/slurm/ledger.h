// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/records.h"

namespace models::slurm {

// The resources that a job needs on each of its nodes.
struct NodeShare {
  std::uint32_t cpus = 1;
  std::uint64_t memory_mb = 0;                       // 0: all of the node's
  const std::map<std::string, std::uint32_t>* gres;  // "gpu" is any type, "gpu:a100" that type
  bool exclusive = false;
};

// The share per node if the job runs on that many nodes.
NodeShare share_of(const SlurmJob& job, std::uint32_t nodes);

// The allocated resources of one node.
class NodeUse {
 public:
  bool idle() const { return jobs_ == 0; }
  std::uint32_t cpus() const { return cpus_; }
  std::uint64_t memory_mb() const { return memory_mb_; }
  const std::map<std::string, std::uint32_t>& gres() const { return gres_; }
  const std::map<std::string, std::vector<bool>>& gres_index() const { return gres_index_; }

  // True if the share is free, even if the node is drained.
  bool fits(const SlurmNode& node, const NodeShare& share) const;
  // Allocates the lowest free cores and indices. Expects that the share fits.
  SlurmAllocation take(const SlurmNode& node, const NodeShare& share);
  // Allocates again, after a restart, what take() returned.
  void occupy(const SlurmAllocation& held);
  void release(const SlurmAllocation& held);

 private:
  std::uint32_t jobs_ = 0;
  std::uint32_t cpus_ = 0;
  std::uint64_t memory_mb_ = 0;
  std::map<std::string, std::uint32_t> gres_;
  std::vector<bool> cores_;
  std::map<std::string, std::vector<bool>> gres_index_;
};

// True if an empty node of that size would suffice.
bool could_hold(const SlurmNode& node, const NodeShare& share);

// True if the node has the requested features: "a&b", "a|b"; an empty request is always met.
bool has_features(const SlurmNode& node, std::string_view asked);

}  // namespace models::slurm
