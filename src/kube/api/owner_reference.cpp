// SPDX-License-Identifier: Apache-2.0
#include "kube/api/owner_reference.h"

#include <fmt/format.h>

#include <algorithm>

namespace kube::inline api {
namespace {

base::Result<void> check_owner(const Owner& owner, std::string_view object_ns) {
  if (owner.metadata.uid.value().empty())
    return base::Error(base::Kind::invalid, "the owner has no uid: it was not read from a server");
  if (owner.resource.scope == Scope::cluster || owner.metadata.namespace_ == object_ns) return {};
  return base::Error(
      base::Kind::invalid,
      fmt::format("{} {} cannot own an object {}: owner references do not cross namespaces",
                  owner.resource.kind,
                  owner.metadata.key().to_string(),
                  object_ns.empty() ? std::string("without a namespace")
                                    : fmt::format("in namespace {}", object_ns)));
}

OwnerReference reference_to(const Owner& owner) {
  return {owner.resource.api_version(),
          owner.resource.kind,
          owner.metadata.name,
          owner.metadata.uid,
          false,
          false};
}

}  // namespace

base::Result<OwnerReference> controller_reference(const Owner& owner, std::string_view object_ns) {
  TRY_VOID(check_owner(owner, object_ns));
  OwnerReference reference = reference_to(owner);
  reference.controller = true;
  reference.blockOwnerDeletion = true;
  return reference;
}

base::Result<OwnerReference> plain_reference(const Owner& owner, std::string_view object_ns) {
  TRY_VOID(check_owner(owner, object_ns));
  return reference_to(owner);
}

const OwnerReference* controller_of(const ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(metadata.ownerReferences, &OwnerReference::controller);
  return found == metadata.ownerReferences.end() ? nullptr : &*found;
}

bool is_owned_by(const ObjectMeta& metadata, const Uid& owner) {
  const auto& references = metadata.ownerReferences;
  return std::ranges::find(references, owner, &OwnerReference::uid) != references.end();
}

bool is_controlled_by(const ObjectMeta& metadata, const Uid& owner) {
  const OwnerReference* controller = controller_of(metadata);
  return controller != nullptr && controller->uid == owner;
}

json::Object encode_reference(const OwnerReference& reference) {
  json::Object object{{"apiVersion", reference.apiVersion},
                      {"kind", reference.kind},
                      {"name", reference.name},
                      {"uid", reference.uid.value()}};
  if (reference.controller) object.set("controller", true);
  if (reference.blockOwnerDeletion) object.set("blockOwnerDeletion", true);
  return object;
}

}  // namespace kube::inline api
