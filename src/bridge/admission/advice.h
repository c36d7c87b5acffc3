// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"

#include <string>
#include <vector>

namespace bridge::admission {

// What is legal in a new pod of ours but is probably not meant, or costs more than it must, each in
// one line with the remedy: names of annotations that mean nothing, no memory asked for, no time
// limit.
//
// Does not    speak of memory and time to controllers: what a pod of theirs lacks may stand on the
//             Job or the JobSet, which is not seen here, and a pod of a service has no end.
std::vector<std::string> advice_for(const kube::Pod& pod);

}  // namespace bridge::admission
