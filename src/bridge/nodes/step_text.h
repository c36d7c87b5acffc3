// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/nodes/sync.h"

#include <string>
#include <string_view>

namespace bridge::nodes {

// The kind of step, for logs and counts; lives for ever.
std::string_view step_name(const NodeStep& step);

// The step with all that it asks for: two that read the same ask for the same.
std::string step_text(const NodeStep& step);

// It changes a node that Slurm has.
bool changes_slurm_node(const NodeStep& step);
// It is Slurm that may refuse it.
bool asks_slurm(const NodeStep& step);

}  // namespace bridge::nodes
