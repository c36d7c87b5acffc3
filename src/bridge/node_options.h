// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bridge {

// What the platform lets us do to nodes.
struct NodeOptions {
  // Keep pods that Slurm knows nothing of away from its nodes. Off: our taints are taken back.
  bool taint = true;
  // Cordon what is drained or down in Slurm. Off: our cordons are taken back.
  bool cordon = true;
  // Make a node of ours anew that Slurm once failed to reach, as soon as it is idle.
  bool heal_not_responding = false;
};

}  // namespace bridge
