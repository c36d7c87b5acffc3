// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "kube/api/meta.h"

#include <string_view>
#include <vector>

// The conditions of a status, by the rules of the Kubernetes API conventions.
namespace kube::inline api {

using Conditions = std::vector<Condition>;

// Sets the condition of `wanted.type`; its lastTransitionTime is ignored.
//
// Guarantees  lastTransitionTime becomes `now` when the status differs from before or the condition
//             is new, and stays otherwise; the other conditions and their order stay; returns
//             whether anything changed, so that an unchanged status need not be written.
bool set_condition(Conditions& conditions, Condition wanted, base::WallTime now);

// Returns whether there was one.
bool remove_condition(Conditions& conditions, std::string_view type);

// nullptr if there is none.
const Condition* find_condition(const Conditions& conditions, std::string_view type);
// Its status is "True".
bool is_true(const Conditions& conditions, std::string_view type);

// For a status; what is empty is left out.
json::Array encode_conditions(const Conditions& conditions);
// The conditions of an object's content at status.conditions; what is none is left out.
Conditions read_conditions(const json::Value& object);

}  // namespace kube::inline api
