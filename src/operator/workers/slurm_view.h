// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "slurm/api/ids.h"
#include "slurm/api/model.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What the operator knows of a cluster's Slurm at one moment.
namespace slurmop::workers {

struct RunningJob {
  slurm::JobId id;
  std::vector<std::string> nodes;
  base::WallTime started;
  std::optional<base::WallTime> ends = {};  // by its time limit; empty: unlimited
};

// Nothing is concluded from it: no pod is deleted, no node is changed.
struct SlurmUnknown {
  std::string why;  // for a condition: "slurmrestd does not answer: connection refused"
};

struct SlurmKnown {
  base::WallTime as_of;                      // the content was true then or later
  std::map<std::string, slurm::Node> nodes;  // by name; a node that is absent does not exist
  std::vector<slurm::Partition> partitions = {};
  // Jobs that run now. Read only while WorkerPlan::wants_jobs; empty: not read.
  std::optional<std::vector<RunningJob>> jobs = {};
};

using SlurmView = std::variant<SlurmUnknown, SlurmKnown>;

}  // namespace slurmop::workers
