// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/kube_scheduler_config.h"

#include "base/duration.h"
#include "base/quote.h"
#include "bridge/config/value.h"

#include <fmt/format.h>

#include <functional>
#include <map>

namespace bridge::config {
namespace {

using base::Result;
using Take = std::function<Result<void>(const ConfigValue&)>;

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";
constexpr std::string_view kVersion = "kubescheduler.config.k8s.io/v1";

// Reads the wanted entries of a map; the others concern only kube-scheduler.
Result<void> take_map(const ConfigValue& map, const std::map<std::string, Take>& wanted) {
  if (map.is_null()) return {};
  TRY(const std::vector<ConfigValue::Entry> entries, map.entries());
  for (const ConfigValue::Entry& entry : entries) {
    const auto take = wanted.find(entry.key);
    if (take != wanted.end() && !entry.value.is_null()) TRY_VOID(take->second(entry.value));
  }
  return {};
}

Take into(std::string& text) {
  return [&text](const ConfigValue& value) -> Result<void> {
    TRY(text, value.text());
    return {};
  };
}

Take into(bool& yes) {
  return [&yes](const ConfigValue& value) -> Result<void> {
    TRY(yes, value.boolean());
    return {};
  };
}

template <class Duration>
Take into(Duration& duration) {
  return [&duration](const ConfigValue& value) -> Result<void> {
    TRY(const std::string text, value.text());
    const auto parsed = base::parse_duration(text);
    if (!parsed.ok()) return value.wrong("is not a duration such as 15s");
    duration = std::chrono::duration_cast<Duration>(*parsed);
    return {};
  };
}

Result<void> take_profiles(const ConfigValue& value, KubeSchedulerConfig& config) {
  TRY(const std::vector<ConfigValue> profiles, value.elements());
  if (profiles.empty()) return {};
  if (profiles.size() > 1)
    config.warnings.push_back(fmt::format(
        "{} has {} entries; this scheduler serves the first one", value.path(), profiles.size()));
  return take_map(profiles.front(), {{"schedulerName", into(config.schedulerName)}});
}

Result<void> take_election(const ConfigValue& value, KubeSchedulerConfig& config) {
  TRY_VOID(take_map(value,
                    {{"leaderElect", into(config.leaderElect)},
                     {"resourceName", into(config.resourceName)},
                     {"resourceNamespace", into(config.resourceNamespace)},
                     {"leaseDuration", into(config.times.lease)},
                     {"renewDeadline", into(config.times.renew_deadline)},
                     {"retryPeriod", into(config.times.retry)}}));
  if (const auto fine = kube::check(config.times); !fine.ok())
    return value.wrong("is wrong: " + fine.error().message());
  return {};
}

}  // namespace

Result<std::optional<KubeSchedulerConfig>> parse_kube_scheduler_config(const std::string& yaml) {
  TRY(const YAML::Node root, load_yaml(yaml));
  if (!root.IsMap()) return std::optional<KubeSchedulerConfig>();
  const ConfigValue map("", root);
  std::string version;
  std::string kind;
  TRY_VOID(take_map(map, {{"apiVersion", into(version)}, {"kind", into(kind)}}));
  if (!version.starts_with(kGroup)) return std::optional<KubeSchedulerConfig>();
  if (version != kVersion || kind != "KubeSchedulerConfiguration")
    return map.wrong(
        fmt::format("a file of kind {} and apiVersion {}; write "
                    "KubeSchedulerConfiguration and {}",
                    base::quoted(kind),
                    base::quoted(version),
                    kVersion));
  KubeSchedulerConfig config;
  TRY_VOID(take_map(
      map,
      {{"profiles", [&](const ConfigValue& value) { return take_profiles(value, config); }},
       {"leaderElection", [&](const ConfigValue& value) { return take_election(value, config); }},
       {"clientConnection", [&](const ConfigValue& value) {
          return take_map(value, {{"kubeconfig", into(config.kubeconfig)}});
        }}}));
  return std::optional(std::move(config));
}

}  // namespace bridge::config
