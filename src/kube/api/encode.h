// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for the .cpp of a kind: encoding of objects that the program composes.
#include "json/encode.h"
#include "kube/api/describe.h"

#include <initializer_list>
#include <string_view>

namespace kube::inline api {

// The metadata that a client may write.
inline json::Object encode_metadata(const ObjectMeta& metadata) {
  json::Value all = json::encode(metadata);
  for (const std::string_view decided_by_server :
       {"uid", "generation", "creationTimestamp", "deletionTimestamp"}) {
    all.as_object()->erase(decided_by_server);
  }
  return std::move(*all.as_object());
}

// apiVersion, kind, metadata, and the other members of a described kind.
template <class T>
json::Object encode_kind(const T& object) {
  json::Object whole{{"apiVersion", resource_of<T>().api_version()},
                     {"kind", resource_of<T>().kind},
                     {"metadata", encode_metadata(object.metadata)}};
  const json::Value described = json::encode(object);
  for (const json::Member& member : *described.as_object()) {
    if (member.key != "metadata") whole.set(member.key, member.value);
  }
  return whole;
}

}  // namespace kube::inline api
