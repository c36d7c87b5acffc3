// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// Every interval, delay and time limit of bridge/process.
namespace bridge::process {

using namespace std::chrono_literals;

// --- start and stop (instance.cpp) ---
inline constexpr auto kStartTimeout = 10s;
inline constexpr auto kRetryStartAfter = 1s;
// An API server that has just started may answer 403 until it has loaded its RBAC rules.
inline constexpr auto kForbiddenForGood = 30s;
inline constexpr auto kLogAgainAfter = 10s;
// For jobs that were submitted just before the lead was lost.
inline constexpr auto kFinishWithin = 20s;

// --- readiness (instance.cpp) ---
// Without jobs Slurm is polled once a minute, and answers may be slow.
inline constexpr auto kOldestPoll = 120s;

// --- the Lease of another bridge with the same identity (live_holder.cpp) ---
inline constexpr auto kReadLeaseEvery = 1s;
// Limit for the duration in a Lease.
inline constexpr auto kLongestLease = 120s;

// --- Slurm's token (token_watch.cpp) ---
inline constexpr auto kCheckTokenTimeout = 30s;
// Short, because an administrator who replaces a wrong token waits for the result.
inline constexpr auto kCheckWrongTokenEvery = 30s;
inline constexpr auto kComplainEvery = 10min;

}  // namespace bridge::process
