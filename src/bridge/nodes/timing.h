// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// Every interval, delay and time limit of bridge/nodes.
namespace bridge::nodes {

using namespace std::chrono_literals;

// --- steps (syncer.cpp) ---
// The read of a node before a drain; the drain waits for it.
inline constexpr auto kReadNodeTimeout = 5s;
// How long after a step the node is checked again, if no watch or poll shows the result before.
inline constexpr auto kVerifyAfter = 5s;
inline constexpr auto kRefusedFor = 60s;
// How long a Slurm without any node is not trusted: it may not be the Slurm that we know.
inline constexpr auto kEmptyForGood = 1h;

// --- decisions (sync.cpp) ---
// How long a node must be Ready before it is undrained, and must have other devices before it is
// removed for them, so that a flapping node does not flap in Slurm.
inline constexpr auto kSteadyFor = 10s;
// How long a driver must publish no devices before the node is removed and created without them: a
// driver that restarts or is upgraded is away for minutes.
inline constexpr auto kSilentFor = 5min;

// --- resource slices (slices.cpp) ---
inline constexpr auto kRetrySlicesAfter = 2s;
// Permissions and API versions change rarely, and a restart reads them at once.
inline constexpr auto kAskForSlicesAgain = 5min;
// How long the devices of a deleted slice are remembered.
inline constexpr auto kRememberSlices = 2 * kSilentFor;

}  // namespace bridge::nodes
