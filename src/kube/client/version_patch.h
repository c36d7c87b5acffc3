// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/patch.h"
#include "kube/api/meta.h"

namespace kube::inline client {

// The beginning of a JSON patch that changes only this version of the object: it tests uid and
// resourceVersion. Send it with Api::patch_tested().
json::JsonPatch patch_of_version(const ObjectMeta& object);

}  // namespace kube::inline client
