// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/yaml_json.h"

#include <cstdint>
#include <vector>

namespace kube::inline auth {
namespace {

constexpr int kDeepest = 32;

json::Value scalar(const YAML::Node& node) {
  // A quoted scalar is always a string.
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;
  if (text == "true") return true;
  if (text == "false") return false;
  std::int64_t number = 0;
  if (YAML::convert<std::int64_t>::decode(node, number)) return number;
  return text;
}

json::Value json_at(const YAML::Node& node, int depth) {
  if (depth > kDeepest || !node.IsDefined() || node.IsNull()) return nullptr;
  if (node.IsSequence()) {
    json::Array items;
    for (const YAML::Node& item : node) items.push_back(json_at(item, depth + 1));
    return items;
  }
  if (!node.IsMap()) return scalar(node);
  json::Object members;
  for (const auto& member : node) {
    if (member.first.IsScalar())
      members.set(member.first.Scalar(), json_at(member.second, depth + 1));
  }
  return members;
}

}  // namespace

json::Value json_of(const YAML::Node& node) {
  return json_at(node, 0);
}

base::Result<json::Value> parse_yaml(const std::string& text) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() == 1) return json_of(documents[0]);
    return base::Error(base::Kind::invalid,
                       documents.empty() ? "no YAML document" : "more than one YAML document");
  } catch (const YAML::Exception& e) {
    return base::Error(base::Kind::invalid, e.what());
  }
}

}  // namespace kube::inline auth
