// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstdint>
#include <string>
#include <string_view>

// metadata: how the API server processes what a client wrote.
namespace models::kube {

enum class Verb { create, update, patch };

// Checks kind, apiVersion and the types of the common members of metadata.
Refused check_shape(const KubeResource& resource, const json::Value& object, Verb verb);
// Checks that the object's name and namespace are those of the request; sets them where missing.
Refused match_target(const KubeTarget& target, json::Value& object);

// The members of a new object that only the server sets.
struct Birth {
  std::uint64_t number = 0;  // of all objects ever created
  base::WallTime now;
};
Refused begin_metadata(const KubeTarget& target, const Birth& birth, json::Value& object);

// Limits an update to the members that a client may change: others are copied from the former
// object, or the update is rejected.
Refused carry_metadata(const KubeTarget& target,
                       const json::Value& old,
                       json::Value& object,
                       Verb verb);

bool is_deleting(const json::Value& object);
bool has_finalizers(const json::Value& object);
// True if nothing keeps the object: it is marked as deleted, has no finalizer, and its grace period
// is over.
bool may_go(const json::Value& object);

}  // namespace models::kube
