// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "json/value.h"
#include "kube/api/ids.h"
#include "kube/api/resource.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// Wire structs have the member names of the API and only the fields that we read. We write patches,
// so that unknown fields are never lost.
namespace kube::inline api {

struct OwnerReference {
  std::string apiVersion;
  std::string kind;
  std::string name;
  Uid uid;
  bool controller = false;
  bool blockOwnerDeletion = false;

  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ObjectMeta {
  std::string name;
  std::string namespace_;
  Uid uid;
  std::string resourceVersion;
  std::int64_t generation = 0;  // 0: this kind has no generation
  std::string creationTimestamp;
  std::optional<std::string> deletionTimestamp;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  std::vector<std::string> finalizers;
  std::vector<OwnerReference> ownerReferences;

  ObjectKey key() const { return {namespace_, name}; }
  bool deleting() const { return deletionTimestamp.has_value(); }
  // Empty if there is none.
  const std::string& label(const std::string& name_of_label) const;
  const std::string& annotation(const std::string& name_of_annotation) const;
  bool has_finalizer(std::string_view finalizer) const;
};

struct Condition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  std::string lastTransitionTime = {};
  std::int64_t observedGeneration = 0;  // 0: not set

  friend bool operator==(const Condition&, const Condition&) = default;
};

// Specialised by every kind: the resource of its objects.
template <class T>
const Resource& resource_of();

// Specialised by every kind that can be kept in a Store.
template <class T>
base::Result<T> decode_object(const json::Node& node);

// Specialised by the kinds that a program writes as a whole: the body of an object that the program
// composed. Metadata that the server sets (uid, times, generation) is omitted; a resourceVersion is
// kept, so that a replace is conditional on it.
template <class T>
json::Object encode_object(const T& object);

}  // namespace kube::inline api
