// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/ledger.h"

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace models::slurm {

// A node and its allocated resources.
struct SlurmHost {
  SlurmNode* node = nullptr;
  NodeUse use;
};
using SlurmHosts = std::span<SlurmHost* const>;

// The nodes on which a job could ever run, and those of them that accept jobs.
struct Prospects {
  std::uint32_t needed = 1;  // the number of nodes of the job
  std::uint32_t capable = 0;
  std::uint32_t available = 0;
  bool required_capable = true;
  bool required_available = true;
  std::vector<std::string> unavailable;  // capable, but down

  bool ever() const { return required_capable && capable >= needed; }
  bool now() const { return required_available && available >= needed; }
};

// For the largest number of nodes with which the job could run now, else ever, else at all.
Prospects prospects_of(const SlurmJob& job, SlurmHosts hosts);

// The time from which on these nodes are reserved for a pending job.
struct Reservation {
  base::Instant start{};
  std::set<const SlurmHost*> hosts;

  // True if a job that ends by then may use this node now.
  bool leaves(const SlurmHost* host, base::Instant end) const {
    return end <= start || !hosts.contains(host);
  }
};

// The nodes on which the job can start now: the required ones, then the first that fit, up to its
// maximum. Empty if they do not suffice. Only `allowed` nodes are used.
std::vector<SlurmHost*> place(const SlurmJob& job,
                              SlurmHosts hosts,
                              const std::function<bool(const SlurmHost&)>& allowed);

// A running job, for reservation_of().
struct RunningJob {
  base::Instant end{};
  const SlurmJob* job = nullptr;
};

// When the job can start at the latest if all running jobs end by their limits, and on which nodes.
// Expects     `running` in the order of their ends.
Reservation reservation_of(const SlurmJob& job,
                           SlurmHosts hosts,
                           std::span<const RunningJob> running,
                           base::Instant now);

}  // namespace models::slurm
