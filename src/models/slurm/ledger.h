// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/records.h"

namespace models::slurm {

// What a job wants of each of its nodes.
struct NodeShare {
  std::uint32_t cpus = 1;
  std::uint64_t memory_mb = 0;                       // 0: all of the node's
  const std::map<std::string, std::uint32_t>* gres;  // "gpu" is any type, "gpu:a100" that one
  bool exclusive = false;
};

// The share of each node if the job runs on that many.
NodeShare share_of(const SlurmJob& job, std::uint32_t nodes);

// What is taken of one node.
class NodeUse {
 public:
  bool idle() const { return jobs_ == 0; }
  std::uint32_t cpus() const { return cpus_; }
  std::uint64_t memory_mb() const { return memory_mb_; }
  const std::map<std::string, std::uint32_t>& gres() const { return gres_; }
  const std::map<std::string, std::vector<bool>>& gres_index() const { return gres_index_; }

  // Whether the share is free, drained or not.
  bool fits(const SlurmNode& node, const NodeShare& share) const;
  // Expects that it fits. The lowest free cores and indices are given.
  SlurmAllocation take(const SlurmNode& node, const NodeShare& share);
  // What take() gave, or again the same after a restart.
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

// Whether an empty node of that size would do.
bool could_hold(const SlurmNode& node, const NodeShare& share);

// Whether the node has the features that are asked for: "a&b", "a|b"; empty is always met.
bool has_features(const SlurmNode& node, std::string_view asked);

}  // namespace models::slurm
