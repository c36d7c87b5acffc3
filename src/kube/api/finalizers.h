// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/meta.h"

#include <string_view>

namespace kube::inline api {

// Merge patches that add or remove one finalizer.
//
// Guarantees  they apply only to the object and version that was read (Kind::conflict otherwise),
//             because the patch contains the whole list: finalizers of others must be neither
//             restored nor lost.
json::Object adding_finalizer(const ObjectMeta& metadata, std::string_view finalizer);
json::Object removing_finalizer(const ObjectMeta& metadata, std::string_view finalizer);

}  // namespace kube::inline api
