// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <functional>
#include <string>
#include <vector>

namespace telemetry {

// Liveness and readiness of this process, for Kubernetes' probes.
//
// Alive  the loop runs, which every answer proves. Nothing outside the process is part of it,
//        because a restart would not repair that.
// Ready  every role has what it needs: its caches are filled and its servers listen. A temporary
//        outage of Slurm or the API server does not make a role unready: the role waits, continues
//        by itself, and a gauge reports the outage. A role without any answer of Slurm for minutes
//        is not ready.
class Health {
 public:
  // Returns ok, or what is missing. Called for every probe: it must not wait.
  using Check = std::function<base::Result<void>()>;

  struct Outcome {
    std::string name;
    base::Result<void> result;
  };

  // Returns a remark for ?verbose that does not affect readiness; empty if there is none.
  using Remark = std::function<std::string()>;

  struct Remarked {
    std::string name;
    std::string text;
  };

  // Roles name their checks, for example "scheduler/pods-listed".
  void add(std::string name, Check check);
  void remark(std::string name, Remark remark);
  void remove(const std::string& name);

  // All checks, in the order in which they were added.
  std::vector<Outcome> readiness() const;
  // The remarks that are not empty.
  std::vector<Remarked> remarks() const;

 private:
  struct Named {
    std::string name;
    Check check;
  };
  struct NamedRemark {
    std::string name;
    Remark remark;
  };
  std::vector<Named> checks_;
  std::vector<NamedRemark> remarks_;
};

}  // namespace telemetry
