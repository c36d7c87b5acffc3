// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/canonical.h"

#include <map>
#include <utility>

namespace slurmop::parts {
namespace {

json::Value sorted(const json::Value& value) {
  if (const json::Array* list = value.as_array()) {
    json::Array all;
    for (const json::Value& one : *list) all.push_back(sorted(one));
    return all;
  }
  if (const json::Object* object = value.as_object()) {
    std::map<std::string, json::Value> members;
    for (const json::Member& member : *object) members.emplace(member.key, sorted(member.value));
    json::Object all;
    for (auto& [key, content] : members) all.set(key, std::move(content));
    return all;
  }
  return value;
}

}  // namespace

std::string canonical_text(const json::Value& value) {
  return sorted(value).dump();
}

}  // namespace slurmop::parts
