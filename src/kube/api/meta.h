// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"
#include "kube/ids.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Wire structs keep the API's own member names and hold only the fields that we read. What we
// write, we write as patches, so that fields which we do not know are never lost.
namespace kube {

struct OwnerReference {
  std::string apiVersion;
  std::string kind;
  std::string name;
  Uid uid;
  bool controller = false;

  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ObjectMeta {
  std::string name;
  std::string namespace_;
  Uid uid;
  std::string resourceVersion;
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
  std::string lastTransitionTime;
};

// Specialised by every kind that can stand in a Store.
template <class T>
base::Result<T> decode_object(const json::Node& node);

}  // namespace kube
