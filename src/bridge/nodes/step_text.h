// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/nodes/sync.h"

#include <string>
#include <string_view>

namespace bridge::nodes {

// The name of the step's type, for logs and metrics; static storage.
std::string_view step_name(const NodeStep& step);

// The step with all its values: equal texts mean equal steps.
std::string step_text(const NodeStep& step);

// True if it changes an existing Slurm node.
bool changes_slurm_node(const NodeStep& step);
// True if Slurm may refuse it.
bool asks_slurm(const NodeStep& step);

}  // namespace bridge::nodes
