// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/meta.h"

#include <string>

namespace kube::inline api {

// An object of any kind, with its complete content: for kinds that are known only at run time, and
// for comparing the live object with the desired one. It needs the memory of its JSON tree.
struct DynamicObject {
  std::string apiVersion;
  std::string kind;
  ObjectMeta metadata;
  json::Value content;  // the complete object, with managedFields
};

template <>
base::Result<DynamicObject> decode_object<DynamicObject>(const json::Node& node);
// The content. It is the whole object, so an object that was read may be changed and replaced.
template <>
json::Object encode_object<DynamicObject>(const DynamicObject& object);

// An object of any kind with its metadata only (PartialObjectMetadata).
struct PartialObject {
  std::string apiVersion;
  std::string kind;
  ObjectMeta metadata;
};

template <>
base::Result<PartialObject> decode_object<PartialObject>(const json::Node& node);

}  // namespace kube::inline api
