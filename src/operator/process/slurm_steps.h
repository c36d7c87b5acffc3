// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/loop.h"
#include "operator/workers/plan_workers.h"
#include "operator/workers/slurm_view.h"
#include "slurm/client/client.h"

#include <map>
#include <string>
#include <vector>

namespace slurmop::process {

// The nodes that a plan was based on, and the nodes right before its steps.
struct NodesBeforeSteps {
  std::map<std::string, slurm::Node> planned;
  std::map<std::string, slurm::Node> now;
};

// Whether a node still is what the plan decided on: its existence, drain, DOWN state, reason, and
// whether jobs run on it. Kind::conflict otherwise: decide again.
base::Result<void> check_unchanged(const std::string& node, const NodesBeforeSteps& nodes);

// Reads the nodes again. Kind::internal while Slurm is unknown: no step may follow from that.
net::Task<base::Result<NodesBeforeSteps>> read_again(net::Loop& loop,
                                                     slurm::Client& client,
                                                     const workers::SlurmView& planned);

// Executes the steps of a plan in Slurm, in order.
//
// Guarantees  a step is executed only if its node is unchanged since the plan; the first step that
//             fails ends the call, and the error names step and node. A step whose effect exists
//             already succeeds.
net::Task<base::Result<void>> execute_steps(net::Loop& loop,
                                            slurm::Client& client,
                                            const std::vector<workers::SlurmStep>& steps,
                                            const NodesBeforeSteps& nodes);

// For the log: "drain worker-3".
std::string describe(const workers::SlurmStep& step);

}  // namespace slurmop::process
