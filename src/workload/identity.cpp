// SPDX-License-Identifier: Apache-2.0
#include "workload/identity.h"

#include "json/value.h"

namespace workload {
namespace {

std::string text(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  const std::string* value = member != nullptr ? member->as_string() : nullptr;
  return value != nullptr ? *value : std::string();
}

std::optional<std::vector<std::string>> texts(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  const json::Array* array = member != nullptr ? member->as_array() : nullptr;
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> values;
  for (const json::Value& element : *array) {
    if (element.as_string() == nullptr) return std::nullopt;
    values.push_back(*element.as_string());
  }
  return values;
}

std::optional<kube::ObjectKey> pod_key(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size()) return std::nullopt;
  if (text.find('/', slash + 1) != std::string::npos) return std::nullopt;
  return kube::ObjectKey{text.substr(0, slash), text.substr(slash + 1)};
}

}  // namespace

std::string admin_comment(const Identity& identity) {
  json::Array pods;
  json::Array uids;
  for (const Member& member : identity.members) {
    pods.emplace_back(member.pod.to_string());
    uids.emplace_back(member.uid.value());
  }
  return json::Value(json::Object{{"pods", std::move(pods)},
                                  {"cluster", identity.bridge.cluster},
                                  {"scheduler", identity.bridge.scheduler},
                                  {"workload", identity.workload.value()},
                                  {"uids", std::move(uids)}})
      .dump();
}

std::optional<Identity> read_identity(std::string_view admin_comment) {
  // Most foreign comments are not JSON objects: they are rejected without a parser.
  if (!admin_comment.starts_with('{')) return std::nullopt;
  const auto root = json::parse(admin_comment);
  if (!root.ok()) return std::nullopt;

  Identity identity;
  identity.bridge = {text(*root, "cluster"), text(*root, "scheduler")};
  identity.workload = kube::Uid(text(*root, "workload"));
  if (identity.bridge.cluster.empty() || identity.bridge.scheduler.empty() ||
      identity.workload.value().empty()) {
    return std::nullopt;
  }
  const auto pods = texts(*root, "pods");
  const auto uids = texts(*root, "uids");
  if (!pods || !uids || pods->empty() || pods->size() != uids->size()) return std::nullopt;
  for (std::size_t i = 0; i < pods->size(); ++i) {
    const auto key = pod_key((*pods)[i]);
    if (!key || (*uids)[i].empty()) return std::nullopt;
    identity.members.push_back({*key, kube::Uid((*uids)[i])});
  }
  return identity;
}

std::vector<kube::ObjectKey> read_reference_pods(std::string_view admin_comment) {
  std::vector<kube::ObjectKey> keys;
  if (!admin_comment.starts_with('{')) return keys;
  const auto root = json::parse(admin_comment);
  if (!root.ok() || root->as_object() == nullptr || root->as_object()->size() != 1) return keys;
  for (const std::string& pod : texts(*root, "pods").value_or(std::vector<std::string>())) {
    if (const auto key = pod_key(pod)) keys.push_back(*key);
  }
  return keys;
}

}  // namespace workload
