// SPDX-License-Identifier: Apache-2.0
#include "kube/api/finalizers.h"

#include <utility>

namespace kube::inline api {
namespace {

json::Object patch(const ObjectMeta& metadata, json::Array finalizers) {
  json::Object part{{"uid", metadata.uid.value()},
                    {"resourceVersion", metadata.resourceVersion},
                    {"finalizers", std::move(finalizers)}};
  return {{"metadata", std::move(part)}};
}

json::Array others(const ObjectMeta& metadata, std::string_view finalizer) {
  json::Array array;
  for (const std::string& one : metadata.finalizers) {
    if (one != finalizer) array.emplace_back(one);
  }
  return array;
}

}  // namespace

json::Object adding_finalizer(const ObjectMeta& metadata, std::string_view finalizer) {
  json::Array finalizers = others(metadata, finalizer);
  finalizers.emplace_back(finalizer);
  return patch(metadata, std::move(finalizers));
}

json::Object removing_finalizer(const ObjectMeta& metadata, std::string_view finalizer) {
  return patch(metadata, others(metadata, finalizer));
}

}  // namespace kube::inline api
