// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/keys.h"

#include "base/quote.h"
#include "bridge/config/value.h"
#include "kube/api/label_selector_text.h"
#include "net/transport/url.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace bridge::config {
namespace {

using base::Result;
using Change = ConfigKey::Change;

// As YAML: a text that could be read as another type is quoted.
std::string shown(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos &&
                     text.front() != '-' && text != "null";
  return plain ? std::string(text) : base::quoted(text, text.size());
}

std::string shown(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) parts.push_back(shown(text));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string shown(const std::optional<kube::LabelSelector>& selector) {
  if (!selector) return "null";
  const std::string text = kube::to_text(*selector);
  return text.empty() ? "{}" : shown(text);
}

std::string shown(bool value) {
  return value ? "true" : "false";
}

std::string shown(std::int32_t value) {
  return std::to_string(value);
}

std::string shown(base::LogLevel level) {
  return std::string(name(level));
}

// It is the value of a taint and the name of a Lease.
Result<void> take_scheduler_name(Config& config, const ConfigValue& value) {
  TRY(const std::string name, value.text());
  if (name.empty()) return value.wrong("is empty; write a name, such as slurm-bridge-scheduler");
  if (auto fine = kube::check_label_value(name); !fine.ok())
    return value.wrong("is the value of a taint: " + fine.error().message());
  config.schedulerName = name;
  return {};
}

Result<void> take_slurm_rest_api(Config& config, const ConfigValue& value) {
  TRY(config.slurmRestApi, value.text());
  if (config.slurmRestApi.empty()) return {};  // the code that needs it reports that it is missing
  if (const auto url = net::parse_url(config.slurmRestApi); !url.ok())
    return value.wrong(fmt::format("must be an address such as http://slurm-restapi.slurm:6820: {}",
                                   url.error().message()));
  return {};
}

template <std::vector<std::string> Config::* kMember>
Result<void> take_namespaces(Config& config, const ConfigValue& value) {
  TRY(config.*kMember, value.strings());
  for (const std::string& name : config.*kMember) {
    if (name.empty()) return value.wrong("has an empty name; remove it");
    if (name.contains('.') || !kube::check_label_key(name + "/x").ok())
      return value.wrong(
          fmt::format("has {}, which is not a valid namespace name: names have lower "
                      "case letters, digits and '-'",
                      base::quoted(name)));
  }
  return {};
}

Result<void> take_selector(Config& config, const ConfigValue& value) {
  TRY(config.managedNamespaceSelector, value.selector());
  return {};
}

Result<void> take_hold(Config& config, const ConfigValue& value) {
  TRY(config.holdSeconds, value.integer({1, 86400}));
  return {};
}

Result<void> take_log_level(Config& config, const ConfigValue& value) {
  TRY(const std::string text, value.text());
  const auto level = base::parse_log_level(text);
  if (!level.ok()) return value.wrong("is wrong: " + level.error().message());
  config.logLevel = *level;
  return {};
}

template <std::string Config::* kMember>
Result<void> take_text(Config& config, const ConfigValue& value) {
  TRY(config.*kMember, value.text());
  return {};
}

template <std::string Config::* kMember>
Result<void> take_word(Config& config, const ConfigValue& value) {
  TRY(config.*kMember, value.word());
  return {};
}

template <auto kGroup, auto kMember>
Result<void> take_bool(Config& config, const ConfigValue& value) {
  TRY(config.*kGroup.*kMember, value.boolean());
  return {};
}

template <auto kMember>
std::string show_one(const Config& config) {
  return shown(config.*kMember);
}

template <auto kGroup, auto kMember>
std::string show_in(const Config& config) {
  return shown(config.*kGroup.*kMember);
}

template <auto kGroup, auto kMember>
constexpr ConfigKey switch_key(std::string_view path, Change change) {
  return {path, change, take_bool<kGroup, kMember>, show_in<kGroup, kMember>};
}

constexpr auto kNodes = &Config::nodes;
constexpr auto kFeatures = &Config::features;

constexpr auto kKeys = std::to_array<ConfigKey>({
    {"schedulerName", Change::restart, take_scheduler_name, show_one<&Config::schedulerName>},
    {"slurmRestApi", Change::restart, take_slurm_rest_api, show_one<&Config::slurmRestApi>},
    {"slurmRestApiCaFile",
     Change::restart,
     take_text<&Config::slurmRestApiCaFile>,
     show_one<&Config::slurmRestApiCaFile>},
    {"managedNamespaces",
     Change::live,
     take_namespaces<&Config::managedNamespaces>,
     show_one<&Config::managedNamespaces>},
    {"managedNamespaceSelector",
     Change::live,
     take_selector,
     show_one<&Config::managedNamespaceSelector>},
    {"daemonSetNamespaces",
     Change::live,
     take_namespaces<&Config::daemonSetNamespaces>,
     show_one<&Config::daemonSetNamespaces>},
    {"mcsLabel", Change::live, take_word<&Config::mcsLabel>, show_one<&Config::mcsLabel>},
    {"partition", Change::live, take_word<&Config::partition>, show_one<&Config::partition>},
    {"holdSeconds", Change::live, take_hold, show_one<&Config::holdSeconds>},
    {"logLevel", Change::live, take_log_level, show_one<&Config::logLevel>},
    switch_key<kNodes, &NodeSettings::taint>("nodes.taint", Change::live),
    switch_key<kNodes, &NodeSettings::cordon>("nodes.cordon", Change::live),
    switch_key<kNodes, &NodeSettings::healNotResponding>("nodes.healNotResponding", Change::live),
    switch_key<kFeatures, &Features::enableLeaderElection>("features.enableLeaderElection",
                                                           Change::restart),
    switch_key<kFeatures, &Features::enableHTTP2>("features.enableHTTP2", Change::restart),
    switch_key<kFeatures, &Features::secureMetrics>("features.secureMetrics", Change::restart),
});

}  // namespace

std::span<const ConfigKey> config_keys() {
  return kKeys;
}

std::vector<std::string_view> changed_keys(const Config& before, const Config& after) {
  std::vector<std::string_view> changed;
  for (const ConfigKey& key : kKeys) {
    if (key.show(before) != key.show(after)) changed.push_back(key.path);
  }
  return changed;
}

std::string show(const Config& config) {
  const auto said_by = [&config](std::string_view path) -> std::string {
    const auto origin = config.origins.find(path);
    if (origin == config.origins.end()) return "default";
    const bool idle = path == "managedNamespaces" && config.managedNamespaceSelector.has_value();
    return origin->second + (idle ? "; no effect with a selector" : "");
  };
  std::string out;
  std::string_view group;
  for (const ConfigKey& key : kKeys) {
    const std::size_t dot = key.path.find('.');
    const bool nested = dot != std::string_view::npos;
    if (nested && key.path.substr(0, dot) != group) {
      group = key.path.substr(0, dot);
      out.append(group).append(":\n");
    }
    out.append(fmt::format("{}{}: {}  # {}\n",
                           nested ? "  " : "",
                           nested ? key.path.substr(dot + 1) : key.path,
                           key.show(config),
                           said_by(key.path)));
  }
  return out;
}

}  // namespace bridge::config
