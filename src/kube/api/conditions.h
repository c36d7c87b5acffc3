// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "kube/api/meta.h"

#include <string_view>
#include <vector>

// The conditions of a status, by the Kubernetes API conventions.
namespace kube::inline api {

using Conditions = std::vector<Condition>;

// Sets the condition of `wanted.type`; its lastTransitionTime is ignored.
//
// Guarantees  lastTransitionTime becomes `now` if the status changed or the condition is new, and
//             is kept otherwise; the other conditions and their order are kept; returns whether
//             anything changed, so that an unchanged status need not be written.
bool set_condition(Conditions& conditions, Condition wanted, base::WallTime now);

// Returns whether the condition existed.
bool remove_condition(Conditions& conditions, std::string_view type);

// nullptr if there is none.
const Condition* find_condition(const Conditions& conditions, std::string_view type);
// Whether its status is "True".
bool is_true(const Conditions& conditions, std::string_view type);

// For a status; empty fields are omitted.
json::Array encode_conditions(const Conditions& conditions);
// Decodes status.conditions of the content of an object; invalid entries are omitted.
Conditions read_conditions(const json::Value& object);

}  // namespace kube::inline api
