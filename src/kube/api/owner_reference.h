// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "kube/api/meta.h"
#include "kube/api/resource.h"

// Owner references: by them the garbage collector deletes what nobody owns any longer.
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

// The reference of the one owner that manages the object. blockOwnerDeletion is set: a foreground
// delete of the owner waits for the object.
//
// Errors      invalid  the owner is namespaced and the object is in another namespace or in none:
//                      the garbage collector would delete the object at once.
base::Result<OwnerReference> controller_reference(const Owner& owner, std::string_view object_ns);
// A reference of a further owner: neither manages the object nor waits for it.
base::Result<OwnerReference> plain_reference(const Owner& owner, std::string_view object_ns);

// nullptr if no controller owns it.
const OwnerReference* controller_of(const ObjectMeta& metadata);
bool is_owned_by(const ObjectMeta& metadata, const Uid& owner);
bool is_controlled_by(const ObjectMeta& metadata, const Uid& owner);

json::Object encode_reference(const OwnerReference& reference);

}  // namespace kube::inline api
