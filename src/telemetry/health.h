// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <functional>
#include <string>
#include <vector>

namespace telemetry {

// Whether this process lives and whether its roles are ready, as Kubernetes' probes ask.
//
// Alive  means that the loop turns: whoever gets an answer at all has it. Nothing outside the
//        process is part of it, for a restart would not mend that.
// Ready  means that every role has what it needs to do its work right: its caches are filled, it
//        serves where it should serve. That Slurm or the API server is away for a while is no
//        reason to be unready: a role waits and goes on by itself, and a gauge reports it. A role
//        that has seen nothing of Slurm for minutes is not ready.
class Health {
 public:
  // ok, or what is missing. Called for every probe: it looks at what is known and does not wait.
  using Check = std::function<base::Result<void>()>;

  struct Outcome {
    std::string name;
    base::Result<void> result;
  };

  // What the one who looks closely (?verbose) should know although it makes nothing unready; empty
  // if all is well.
  using Remark = std::function<std::string()>;

  struct Remarked {
    std::string name;
    std::string text;
  };

  // Roles name their checks, for example "scheduler/pods-listed".
  void add(std::string name, Check check);
  void remark(std::string name, Remark remark);
  void remove(const std::string& name);

  // All of them, in the order they were added.
  std::vector<Outcome> readiness() const;
  // Those that have something to say.
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
