// SPDX-License-Identifier: Apache-2.0
#include "kube/api/dynamic_object.h"

#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(PartialObject, (), (apiVersion, kind, metadata))

template <>
base::Result<PartialObject> decode_object<PartialObject>(const json::Node& node) {
  return json::decode<PartialObject>(node);
}

template <>
base::Result<DynamicObject> decode_object<DynamicObject>(const json::Node& node) {
  TRY(PartialObject known, json::decode<PartialObject>(node));
  return DynamicObject{std::move(known.apiVersion),
                       std::move(known.kind),
                       std::move(known.metadata),
                       node.to_value()};
}

template <>
json::Object encode_object<DynamicObject>(const DynamicObject& object) {
  const json::Object* content = object.content.as_object();
  return content == nullptr ? json::Object() : *content;
}

}  // namespace kube::inline api
