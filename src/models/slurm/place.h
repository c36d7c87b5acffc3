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

// A node and what is taken of it.
struct SlurmHost {
  SlurmNode* node = nullptr;
  NodeUse use;
};
using SlurmHosts = std::span<SlurmHost* const>;

// The nodes that a job could ever run on, and those of them that take jobs.
struct Prospects {
  std::uint32_t needed = 1;  // on how many nodes it would be
  std::uint32_t capable = 0;
  std::uint32_t available = 0;
  bool required_capable = true;
  bool required_available = true;
  std::vector<std::string> unavailable;  // capable, but down

  bool ever() const { return required_capable && capable >= needed; }
  bool now() const { return required_available && available >= needed; }
};

// For the largest number of nodes with which it could run now, else ever, else at all.
Prospects prospects_of(const SlurmJob& job, SlurmHosts hosts);

// A time from which on a waiting job counts on these nodes.
struct Reservation {
  base::Instant start{};
  std::set<const SlurmHost*> hosts;

  // Whether a job that ends by then may take this node now.
  bool leaves(const SlurmHost* host, base::Instant end) const {
    return end <= start || !hosts.contains(host);
  }
};

// The nodes on which the job can start now: those it requires, then the first that fit, as many as
// it may have. Empty if they do not suffice. Which nodes it may take at all, `allowed` says.
std::vector<SlurmHost*> place(const SlurmJob& job,
                              SlurmHosts hosts,
                              const std::function<bool(const SlurmHost&)>& allowed);

// A job that runs, for reservation_of().
struct RunningJob {
  base::Instant end{};
  const SlurmJob* job = nullptr;
};

// When the job can start at the latest if all that runs ends by its limit, and where it may be.
// Expects `running` in the order of their ends.
Reservation reservation_of(const SlurmJob& job,
                           SlurmHosts hosts,
                           std::span<const RunningJob> running,
                           base::Instant now);

}  // namespace models::slurm
