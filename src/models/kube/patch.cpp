// SPDX-License-Identifier: Apache-2.0
#include "models/kube/patch.h"

#include "json/patch.h"
#include "models/kube/strategic.h"

#include <algorithm>
#include <utility>

namespace models::kube {

std::optional<PatchKind> patch_kind(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find_first_of("; "));
  if (type == "application/merge-patch+json") return PatchKind::merge;
  if (type == "application/json-patch+json") return PatchKind::json;
  if (type == "application/strategic-merge-patch+json") return PatchKind::strategic;
  if (type == "application/apply-patch+yaml") return PatchKind::apply;
  return std::nullopt;
}

Refused apply_patch(PatchKind kind, const json::Value& patch, json::Value& object) {
  if (kind == PatchKind::json) {
    if (patch.as_array() == nullptr) {
      return bad_request(
          "error decoding patch: json: cannot unmarshal object into Go value of type "
          "[]handlers.jsonPatchOp");
    }
    auto patched = json::json_patched(std::move(object), patch, json::Absent::is_null);
    if (!patched.ok()) {
      return Refusal{
          422, "Invalid", "the server rejected our request due to an error in our request", {}, {}};
    }
    object = *std::move(patched);
    return std::nullopt;
  }
  if (patch.as_object() == nullptr) {
    return bad_request(
        "error decoding patch: json: cannot unmarshal array into Go value of type "
        "map[string]interface {}");
  }
  if (kind == PatchKind::merge) {
    json::apply_merge_patch(object, patch);
  } else {
    apply_strategic_patch(object, patch);
  }
  return std::nullopt;
}

}  // namespace models::kube
