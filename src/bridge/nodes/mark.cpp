// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/mark.h"

#include "json/value.h"

#include <utility>

namespace bridge::nodes {
namespace {

constexpr std::string_view kKey = "slurm-bridge";

std::string text(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  return member != nullptr && member->as_string() != nullptr ? *member->as_string() : "";
}

template <class T>
T number(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  if (member == nullptr || member->as_int() == nullptr) return 0;
  return std::in_range<T>(*member->as_int()) ? static_cast<T>(*member->as_int()) : 0;
}

}  // namespace

std::string mark_text(const NodeMark& mark) {
  json::Object inner{{"cluster", mark.cluster},
                     {"node", mark.node},
                     {"cpus", mark.cpus},
                     {"memory", mark.memory_mib}};
  if (!mark.devices.empty()) inner.set("devices", mark.devices);
  return json::Value(json::Object{{std::string(kKey), std::move(inner)}}).dump();
}

std::optional<NodeMark> read_mark(std::string_view comment) {
  if (!comment.starts_with('{')) return std::nullopt;
  const auto parsed = json::parse(comment);
  const json::Value* inner = parsed.ok() ? parsed->find(kKey) : nullptr;
  if (inner == nullptr) return std::nullopt;
  NodeMark mark{text(*inner, "cluster"),
                text(*inner, "node"),
                number<std::uint32_t>(*inner, "cpus"),
                number<std::uint64_t>(*inner, "memory"),
                text(*inner, "devices")};
  if (mark.cluster.empty()) return std::nullopt;
  return mark;
}

}  // namespace bridge::nodes
