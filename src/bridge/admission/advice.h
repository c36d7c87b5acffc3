// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

#include <string>
#include <vector>

namespace bridge::admission {

// Valid settings of a new pod of ours that are probably a mistake, or cost more than necessary,
// each as one line with the remedy: unknown annotation names, no memory request, no time limit.
//
// Does not    advise on memory and time for pods of controllers: the values may be on the Job or
//             JobSet, which is not visible here, and a pod of a service has no end.
std::vector<std::string> advice_for(const kube::Pod& pod);

}  // namespace bridge::admission
