// SPDX-License-Identifier: Apache-2.0
#include "kube/api/config_map.h"

#include "kube/api/encode.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(ConfigMap, (), (metadata, data, binaryData, immutable))
BOOST_DESCRIBE_STRUCT(Secret, (), (metadata, type, data, immutable))
BOOST_DESCRIBE_STRUCT(ServiceAccount, (), (metadata))

template <>
base::Result<ConfigMap> decode_object<ConfigMap>(const json::Node& node) {
  return json::decode<ConfigMap>(node);
}
template <>
json::Object encode_object<ConfigMap>(const ConfigMap& object) {
  return encode_kind(object);
}

template <>
base::Result<Secret> decode_object<Secret>(const json::Node& node) {
  return json::decode<Secret>(node);
}
template <>
json::Object encode_object<Secret>(const Secret& object) {
  return encode_kind(object);
}

template <>
base::Result<ServiceAccount> decode_object<ServiceAccount>(const json::Node& node) {
  return json::decode<ServiceAccount>(node);
}
template <>
json::Object encode_object<ServiceAccount>(const ServiceAccount& object) {
  return encode_kind(object);
}

}  // namespace kube::inline api
