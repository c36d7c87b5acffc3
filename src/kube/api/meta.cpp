// SPDX-License-Identifier: Apache-2.0
#include "kube/api/meta.h"

#include <algorithm>

namespace kube::inline api {
namespace {
const std::string kNone;

const std::string& value_or_none(const std::map<std::string, std::string>& map,
                                 const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}
}  // namespace

const std::string& ObjectMeta::label(const std::string& name_of_label) const {
  return value_or_none(labels, name_of_label);
}

const std::string& ObjectMeta::annotation(const std::string& name_of_annotation) const {
  return value_or_none(annotations, name_of_annotation);
}

bool ObjectMeta::has_finalizer(std::string_view finalizer) const {
  return std::ranges::find(finalizers, finalizer) != finalizers.end();
}

}  // namespace kube::inline api
