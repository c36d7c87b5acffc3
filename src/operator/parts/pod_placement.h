// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/labels.h"
#include "operator/objects/pod.h"
#include "operator/settle/cluster.h"

namespace slurmop::parts {

// Sets where the pods of a component run, with which priority and in which user namespace.
void place(const settle::Placement& placement, objects::PodSpec& pod);

// Returns the affinity with one more preference: the selected pods on different nodes. A preference
// of the resource weighs more.
json::Value spread(json::Value affinity, const objects::Labels& selector);

}  // namespace slurmop::parts
