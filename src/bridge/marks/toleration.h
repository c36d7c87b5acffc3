// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/pod.h"

#include <string>
#include <vector>

namespace bridge::marks {

// Tolerates our NoExecute taint without a time limit, so that the pod stays on tainted nodes.
kube::Toleration our_toleration(const std::string& scheduler_name);

bool has(const std::vector<kube::Toleration>& tolerations, const kube::Toleration& wanted);

json::Object toleration_json(const kube::Toleration& toleration);

}  // namespace bridge::marks
