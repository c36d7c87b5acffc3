// SPDX-License-Identifier: Apache-2.0
#include "operator/process/rollout.h"

#include "json/pointer.h"

namespace slurmop::process {
namespace {

std::int64_t number(const json::Value& object, const json::Pointer& place, std::int64_t absent) {
  const json::Value* value = json::find(object, place);
  return value == nullptr || value->as_int() == nullptr ? absent : *value->as_int();
}

}  // namespace

plan::Rollout rollout_of(const json::Value& object) {
  const std::int64_t desired = number(object, {"spec", "replicas"}, 1);
  const std::int64_t existing = number(object, {"status", "replicas"}, 0);
  const std::int64_t updated = number(object, {"status", "updatedReplicas"}, 0);
  const bool is_observed = number(object, {"status", "observedGeneration"}, 0) >=
                           number(object, {"metadata", "generation"}, 0);
  plan::Rollout rollout;
  rollout.desired = static_cast<std::int32_t>(desired);
  rollout.ready = static_cast<std::int32_t>(number(object, {"status", "readyReplicas"}, 0));
  rollout.current = is_observed && existing == desired && updated == desired;
  return rollout;
}

}  // namespace slurmop::process
