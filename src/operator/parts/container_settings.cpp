// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/container_settings.h"

#include "operator/objects/object.h"

#include <utility>

namespace slurmop::parts {
namespace {

// api::Container and the structs that have the same fields and more.
template <class Container>
ContainerSettings common_settings(const Container& given) {
  return {.image = given.image,
          .pull_policy = given.imagePullPolicy,
          .pull_secrets = given.imagePullSecrets,
          .command = given.command,
          .args = given.args,
          .env = given.customEnv,
          .port = given.port,
          .resources = given.resources,
          .readiness = given.readinessProbe,
          .liveness = given.livenessProbe,
          .app_armor = given.appArmorProfile,
          .proc_mount = given.procMount};
}

// "unconfined", "runtime/default" or "localhost/NAME", as in the annotations of older versions of
// Kubernetes; any other text is the name of a profile on the node.
json::Object app_armor_profile(std::string_view profile) {
  constexpr std::string_view kLocal = "localhost/";
  if (profile == "unconfined") return {{"type", "Unconfined"}};
  if (profile == "runtime/default") return {{"type", "RuntimeDefault"}};
  if (profile.starts_with(kLocal)) profile.remove_prefix(kLocal.size());
  return {{"type", "Localhost"}, {"localhostProfile", profile}};
}

void use_command(const ContainerSettings& settings, objects::Container& container) {
  if (!settings.command.empty()) {
    container.command = settings.command;
    container.args = settings.args;
    return;
  }
  container.args.insert(container.args.end(), settings.args.begin(), settings.args.end());
}

void use_security(const ContainerSettings& settings, objects::Container& container) {
  if (!settings.app_armor.empty()) {
    container.security.set("appArmorProfile", app_armor_profile(settings.app_armor));
  }
  if (!settings.proc_mount.empty()) container.security.set("procMount", settings.proc_mount);
}

}  // namespace

ContainerSettings settings_of(const std::optional<api::Container>& given) {
  return given ? common_settings(*given) : ContainerSettings{};
}

ContainerSettings settings_of(const std::optional<api::MariaDb>& given) {
  return given ? common_settings(*given) : ContainerSettings{};
}

ContainerSettings settings_of(const api::NodeSetSlurmd& given) {
  return {.pull_policy = given.image.pullPolicy,
          .env = given.customEnv,
          .port = given.port,
          .resources = given.resources,
          .readiness = given.readinessProbe,
          .liveness = given.livenessProbe,
          .app_armor = given.security.appArmorProfile,
          .proc_mount = given.security.procMount};
}

ContainerSettings settings_of(const std::optional<api::NodeSetContainer>& given) {
  if (!given) return {};
  return {.pull_policy = given->image.pullPolicy,
          .resources = given->resources,
          .readiness = given->readinessProbe,
          .liveness = given->livenessProbe,
          .app_armor = given->security.appArmorProfile,
          .proc_mount = given->security.procMount};
}

void use_settings(const ContainerSettings& settings,
                  objects::CpuLimit cpu,
                  objects::Container& container) {
  if (!settings.image.empty()) container.image = settings.image;
  if (!settings.pull_policy.empty()) container.pull_policy = settings.pull_policy;
  use_command(settings, container);
  // Later entries win (objects/pod.h).
  container.env.insert(container.env.begin(), settings.env.begin(), settings.env.end());
  if (!settings.resources.empty()) {
    container.resources = objects::resources(settings.resources, cpu);
  }
  if (!settings.readiness.is_null()) container.readiness = settings.readiness;
  if (!settings.liveness.is_null()) container.liveness = settings.liveness;
  use_security(settings, container);
}

std::vector<std::string> script(std::string_view text, std::string name) {
  return {"bash", "-ec", std::string(text), std::move(name)};
}

std::string literal(std::string_view text) {
  std::string all;
  all.reserve(text.size());
  for (const char c : text) {
    if (c == '$') all.push_back('$');  // the kubelet reads "$$" as "$"
    all.push_back(c);
  }
  return all;
}

}  // namespace slurmop::parts
