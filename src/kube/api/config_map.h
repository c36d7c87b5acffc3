// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

#include <map>
#include <string>

namespace kube::inline api {

struct ConfigMap {
  ObjectMeta metadata;
  std::map<std::string, std::string> data;
  std::map<std::string, std::string> binaryData;  // base64
  bool immutable = false;
};

// Do not cache Secrets: watch their metadata only (PartialObject), and read one when needed.
struct Secret {
  ObjectMeta metadata;
  std::string type;
  std::map<std::string, std::string> data;  // base64
  bool immutable = false;
};

struct ServiceAccount {
  ObjectMeta metadata;
};

template <>
base::Result<ConfigMap> decode_object<ConfigMap>(const json::Node& node);
template <>
json::Object encode_object<ConfigMap>(const ConfigMap& object);
template <>
inline const Resource& resource_of<ConfigMap>() {
  return kConfigMaps;
}

template <>
base::Result<Secret> decode_object<Secret>(const json::Node& node);
template <>
json::Object encode_object<Secret>(const Secret& object);
template <>
inline const Resource& resource_of<Secret>() {
  return kSecrets;
}

template <>
base::Result<ServiceAccount> decode_object<ServiceAccount>(const json::Node& node);
template <>
json::Object encode_object<ServiceAccount>(const ServiceAccount& object);
template <>
inline const Resource& resource_of<ServiceAccount>() {
  return kServiceAccounts;
}

}  // namespace kube::inline api
