// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opsim {

struct Outcome {
  std::vector<std::string> breaches;  // "O1: ..."; empty: all guarantees hold
  std::vector<std::string> timeline;
  std::uint64_t operator_writes = 0;
};

// Runs the history of a seed: some minutes with users, jobs, faults and kills of the operator, then a
// time without faults in which the desired state must be reached, a time without writes, and the
// deletion of the cluster.
//
//   O1  no worker with a running job is deleted or set DOWN
//   O2  drains of others are never undone
//   O3  each Secret is created once and never changed
//   O4  the desired state is reached: all workers run and are usable, no other worker exists
//   O5  no write while nothing changes
//   O6  no job stays RUNNING whose slurmd is gone
//   O7  the deletion of the cluster leaves only data behind
Outcome run_history(std::uint64_t seed);

}  // namespace opsim
