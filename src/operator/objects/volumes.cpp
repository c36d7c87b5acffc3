// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/passed_on.h"
#include "operator/objects/pod.h"

#include <utility>

namespace slurmop::objects {
namespace {

constexpr int kReadableByOwner = 0400;

json::Object volume(std::string name, std::string_view type, json::Object source) {
  json::Object whole{{"name", std::move(name)}};
  whole.set(type, std::move(source));
  return whole;
}

}  // namespace

json::Object empty_dir(std::string name) {
  return volume(std::move(name), "emptyDir", {});
}

json::Object memory_dir(std::string name, std::string size_limit) {
  return volume(
      std::move(name), "emptyDir", {{"medium", "Memory"}, {"sizeLimit", std::move(size_limit)}});
}

json::Object secret_volume(std::string name, std::string secret) {
  return volume(std::move(name),
                "secret",
                {{"secretName", std::move(secret)}, {"defaultMode", kReadableByOwner}});
}

json::Object config_volume(std::string name, std::string config_map) {
  return volume(std::move(name), "configMap", {{"name", std::move(config_map)}});
}

json::Object claim_volume(std::string name, std::string claim) {
  return volume(std::move(name), "persistentVolumeClaim", {{"claimName", std::move(claim)}});
}

json::Object source_volume(std::string name, const json::Value& source) {
  json::Object whole{{"name", std::move(name)}};
  const json::Value content = passed_on(source);
  if (content.as_object() == nullptr) return whole;
  for (const json::Member& member : *content.as_object()) {
    if (member.key != "name") whole.set(member.key, member.value);
  }
  return whole;
}

json::Object mount(const Mount& mount) {
  json::Object entry{{"name", mount.volume}, {"mountPath", mount.path}};
  if (!mount.sub_path.empty()) entry.set("subPath", mount.sub_path);
  if (mount.read_only) entry.set("readOnly", true);
  return entry;
}

}  // namespace slurmop::objects
