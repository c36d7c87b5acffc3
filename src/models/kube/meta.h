// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/refusal.h"
#include "models/kube/target.h"

#include <cstdint>
#include <string>
#include <string_view>

// metadata: what the API server makes of what a client wrote.
namespace models::kube {

enum class Verb { create, update, patch };

// Kind, apiVersion and the types of what everybody has in metadata.
Refused check_shape(const KubeResource& resource, const json::Value& object, Verb verb);
// The object's name and namespace are those of the request; filled in where they are missing.
Refused match_target(const KubeTarget& target, json::Value& object);

// What only the server decides about a new object.
struct Birth {
  std::uint64_t number = 0;  // of all objects ever made
  base::WallTime now;
};
Refused begin_metadata(const KubeTarget& target, const Birth& birth, json::Value& object);

// What of an update is the client's to decide: the rest is taken from the object as it was, or
// refused.
Refused carry_metadata(const KubeTarget& target,
                       const json::Value& old,
                       json::Value& object,
                       Verb verb);

bool is_deleting(const json::Value& object);
bool has_finalizers(const json::Value& object);
// Nothing holds it any longer: marked as deleted, no finalizer, its grace is over.
bool may_go(const json::Value& object);

}  // namespace models::kube
