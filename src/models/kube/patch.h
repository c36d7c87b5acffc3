// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "models/kube/refusal.h"

#include <optional>
#include <string_view>

namespace models::kube {

enum class PatchKind { merge, json, strategic, apply };

// The patch type of a Content-Type; empty if it is not a patch.
std::optional<PatchKind> patch_kind(std::string_view content_type);

// Applies a patch to a copy of the stored object.
Refused apply_patch(PatchKind kind, const json::Value& patch, json::Value& object);

}  // namespace models::kube
