// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

// Facts that several rules of plan() read from Known.
namespace slurmop::plan {

// status.phase as written by the latest pass; empty before the first.
std::string recorded_phase(const json::Value& cluster);
// The cluster was never Available, so no job can exist.
bool was_never_available(const json::Value& cluster);

// The pods of a component ("controller"), by their label.
std::vector<kube::ObservedPod> pods_of(const Known& known, std::string_view component);
// The worker pods of a set, by their label.
std::vector<kube::ObservedPod> pods_of(const Known& known, const settle::WorkerSet& set);

inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kNotAvailable = "Not available";

}  // namespace slurmop::plan
