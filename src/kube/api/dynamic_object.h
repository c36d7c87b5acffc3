// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/meta.h"

#include <string>

namespace kube::inline api {

// An object of any kind, with its whole content: for kinds that are known only at run time, and for
// comparing what is there with what should be there. It costs as much memory as its JSON tree.
struct DynamicObject {
  std::string apiVersion;
  std::string kind;
  ObjectMeta metadata;
  json::Value content;  // the whole object, managedFields included
};

template <>
base::Result<DynamicObject> decode_object<DynamicObject>(const json::Node& node);

// An object of any kind, of which only the metadata is kept (PartialObjectMetadata).
struct PartialObject {
  std::string apiVersion;
  std::string kind;
  ObjectMeta metadata;
};

template <>
base::Result<PartialObject> decode_object<PartialObject>(const json::Node& node);

}  // namespace kube::inline api
