// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/task.h"
#include "operator/agent/configuration.h"
#include "operator/agent/decision.h"

namespace slurmop::agent {

// The answer of the running slurmctld to GET /readyz.
enum class Readiness {
  ready,
  not_ready,    // it listens, but does not serve requests
  unreachable,  // nothing listens on its port
};

// Slurm, as the agent uses it: its programs for checks, and the slurmctld of this pod.
class Slurm {
 public:
  Slurm() = default;
  Slurm(const Slurm&) = delete;
  Slurm& operator=(const Slurm&) = delete;
  virtual ~Slurm() = default;

  // Checks a configuration without any effect on the running slurmctld. Unchecked if the task was
  // cancelled.
  virtual net::Task<Verdict> check(Configuration configuration) = 0;

  // Of the slurmctld whose port is in this configuration.
  virtual net::Task<Readiness> readiness(Configuration active) = 0;

  // Requests that the running slurmctld reads its files again. Success means only that the request
  // was accepted: slurmctld may end because of the files.
  virtual net::Task<base::Result<void>> reconfigure(Configuration active) = 0;
};

}  // namespace slurmop::agent
