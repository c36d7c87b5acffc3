// SPDX-License-Identifier: Apache-2.0
#include "models/kube/field_schema.h"

#include <algorithm>
#include <array>

namespace models::kube {
namespace {

struct ListKeys {
  std::string_view list;
  std::array<std::string_view, 2> keys;  // in alphabetical order, as FieldsV1 has them
};
constexpr auto kMaps = std::to_array<ListKeys>({
    {"addresses", {"type"}},
    {"claims", {"name"}},
    {"conditions", {"type"}},
    {"containers", {"name"}},
    {"env", {"name"}},
    {"ephemeralContainers", {"name"}},
    {"hostAliases", {"ip"}},
    {"imagePullSecrets", {"name"}},
    {"initContainers", {"name"}},
    {"ownerReferences", {"uid"}},
    {"podIPs", {"ip"}},
    {"ports", {"containerPort", "protocol"}},  // of a Service: port and protocol
    {"resourceClaims", {"name"}},
    {"schedulingGates", {"name"}},
    {"secrets", {"name"}},
    {"topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
    {"volumeDevices", {"devicePath"}},
    {"volumeMounts", {"mountPath"}},
    {"volumes", {"name"}},
    {"webhooks", {"name"}},
});

constexpr auto kAtomicObjects = std::to_array<std::string_view>({"configMapKeyRef",
                                                                 "fieldRef",
                                                                 "labelSelector",
                                                                 "namespaceSelector",
                                                                 "nodeSelector",
                                                                 "podSelector",
                                                                 "resourceFieldRef",
                                                                 "roleRef",
                                                                 "scopeSelector",
                                                                 "secretKeyRef",
                                                                 "selector"});

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

const ListKeys* keys_of(std::string_view list) {
  const auto found = std::ranges::find(kMaps, list, &ListKeys::list);
  return found == kMaps.end() ? nullptr : &*found;
}

}  // namespace

ListType list_type(std::string_view field) {
  if (field == "finalizers") return ListType::set;
  return keys_of(field) == nullptr ? ListType::atomic : ListType::map;
}

bool is_atomic_object(std::string_view field) {
  return is_in(kAtomicObjects, field);
}

bool has_atomic_elements(std::string_view list) {
  return list == "ownerReferences" || list == "imagePullSecrets";
}

std::string element_name(std::string_view list, const json::Value& element) {
  const ListKeys* keys = keys_of(list);
  if (keys == nullptr) return "v:" + element.dump();
  json::Object key;
  for (std::string_view name : keys->keys) {
    if (name.empty()) continue;
    if (name == "containerPort" && element.find(name) == nullptr) name = "port";
    if (const json::Value* value = element.find(name)) {
      key.set(name, *value);
    } else if (name == "protocol") {
      key.set(name, "TCP");
    }
  }
  return "k:" + json::Value(std::move(key)).dump();
}

bool is_never_added(std::string_view field) {
  constexpr auto kAlwaysThere = std::to_array<std::string_view>(
      {"metadata", "spec", "status", "template", "strategy", "updateStrategy", "containers"});
  return is_in(kAlwaysThere, field);
}

}  // namespace models::kube
