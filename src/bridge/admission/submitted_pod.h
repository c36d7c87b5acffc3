// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/api/pod.h"

#include <string_view>

namespace bridge::admission {

// A pod in an admission request: the members that admission uses.
struct SubmittedPod {
  kube::Pod pod;
  bool topology_spread = false;
};

base::Result<SubmittedPod> read_pod(const json::Node& object);

// spec.schedulerName without decoding the rest: most pods are not ours.
std::string_view scheduler_of(const json::Node& object);

}  // namespace bridge::admission
