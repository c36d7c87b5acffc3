// SPDX-License-Identifier: Apache-2.0
#include "models/kube/strategic.h"

#include "models/kube/json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace models::kube {
namespace {

struct MergeKey {
  std::string_view list;
  std::string_view key;
};
constexpr auto kMergeKeys = std::to_array<MergeKey>({
    {"conditions", "type"},
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"env", "name"},
    {"volumes", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"ports", "containerPort"},
    {"imagePullSecrets", "name"},
    {"ownerReferences", "uid"},
    {"schedulingGates", "name"},
    {"resourceClaims", "name"},
    {"topologySpreadConstraints", "topologyKey"},
    {"hostAliases", "ip"},
    {"addresses", "type"},
    {"podIPs", "ip"},
});

std::string_view merge_key_of(std::string_view list) {
  const auto found = std::ranges::find(kMergeKeys, list, &MergeKey::list);
  return found == kMergeKeys.end() ? std::string_view() : found->key;
}

// True if two elements are the same: by key, or as a whole if there is no key.
bool is_same(const json::Value& a, const json::Value& b, std::string_view key) {
  if (key.empty()) return a == b;
  const json::Value* left = a.find(key);
  const json::Value* right = b.find(key);
  return left != nullptr && right != nullptr && *left == *right;
}

std::ptrdiff_t place_in(const json::Array& list, const json::Value& element, std::string_view key) {
  const auto found = std::ranges::find_if(
      list, [&](const json::Value& one) { return is_same(one, element, key); });
  return found == list.end() ? -1 : found - list.begin();
}

bool asks_to_delete(const json::Value& element) {
  return text_at(element, {"$patch"}) == "delete";
}

// The elements of the patch in its order; elements that only the object has are placed between
// them, as close to their former position as possible.
json::Array merged(const json::Array& live, const json::Array& patch, std::string_view key) {
  json::Array patched;
  for (const json::Value& change : patch) {
    if (asks_to_delete(change)) continue;
    const std::ptrdiff_t place = place_in(live, change, key);
    json::Value element = place < 0 ? json::Value(json::Object{}) : live[place];
    if (key.empty()) {
      element = change;
    } else {
      apply_strategic_patch(element, change);
    }
    patched.push_back(std::move(element));
  }
  json::Array result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (place_in(patch, live[i], key) >= 0) continue;
    while (next < patched.size()) {
      const std::ptrdiff_t place = place_in(live, patched[next], key);
      if (place >= 0 && std::cmp_greater(place, i)) break;
      result.push_back(patched[next++]);
    }
    result.push_back(live[i]);
  }
  result.insert(result.end(), patched.begin() + static_cast<std::ptrdiff_t>(next), patched.end());
  return result;
}

void remove_from_set(json::Object& object, std::string_view list, const json::Value& gone) {
  json::Value* there = object.find(list);
  if (there == nullptr || there->as_array() == nullptr || gone.as_array() == nullptr) return;
  std::erase_if(*there->as_array(), [&](const json::Value& element) {
    return std::ranges::find(*gone.as_array(), element) != gone.as_array()->end();
  });
}

void apply_member(json::Object& object, const json::Member& change) {
  constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList/";
  if (change.key.starts_with(kDeleteFrom)) {
    remove_from_set(object, std::string_view(change.key).substr(kDeleteFrom.size()), change.value);
    return;
  }
  if (change.key.starts_with('$')) return;  // ordering hints, for lists that are merged anyway
  if (change.value.is_null()) {
    object.erase(change.key);
    return;
  }
  const std::string_view key = merge_key_of(change.key);
  const bool is_merged = !key.empty() || change.key == "finalizers";
  if (const json::Array* elements = change.value.as_array(); elements != nullptr && is_merged) {
    const json::Value* live = object.find(change.key);
    static const json::Array kNone;
    const json::Array* before = live == nullptr ? nullptr : live->as_array();
    object.set(change.key, merged(before == nullptr ? kNone : *before, *elements, key));
    return;
  }
  json::Value* existing = object.find(change.key);
  if (existing == nullptr) {
    object.set(change.key, json::Value());
    existing = object.find(change.key);
  }
  apply_strategic_patch(*existing, change.value);
}

}  // namespace

void apply_strategic_patch(json::Value& object, const json::Value& patch) {
  const json::Object* changes = patch.as_object();
  if (changes == nullptr) {
    object = patch;
    return;
  }
  if (text_at(patch, {"$patch"}) == "replace" || object.as_object() == nullptr) {
    object = json::Object{};
  }
  for (const json::Member& change : *changes) apply_member(*object.as_object(), change);
}

}  // namespace models::kube
