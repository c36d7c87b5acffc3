// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "kube/api/meta.h"
#include "kube/api/resource.h"

// Owner references: the garbage collector deletes objects whose owners no longer exist.
namespace kube::inline api {

// An object as an owner.
struct Owner {
  Resource resource;
  ObjectMeta metadata;
};

template <class T>
Owner owner(const T& object, Resource resource = resource_of<T>()) {
  return {std::move(resource), object.metadata};
}

// Returns the reference of the owner that manages the object. blockOwnerDeletion is set: a
// foreground deletion of the owner waits for the object.
//
// Errors      invalid  the owner is namespaced and the object is in another namespace or
//                      cluster-scoped: the garbage collector would delete the object at once.
base::Result<OwnerReference> controller_reference(const Owner& owner, std::string_view object_ns);
// Returns the reference of a further owner, which neither manages the object nor waits for it.
base::Result<OwnerReference> plain_reference(const Owner& owner, std::string_view object_ns);

// nullptr if it has no controller owner.
const OwnerReference* controller_of(const ObjectMeta& metadata);
bool is_owned_by(const ObjectMeta& metadata, const Uid& owner);
bool is_controlled_by(const ObjectMeta& metadata, const Uid& owner);

json::Object encode_reference(const OwnerReference& reference);

}  // namespace kube::inline api
