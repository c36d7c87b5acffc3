// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/config.h"

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "bridge/config/keys.h"
#include "bridge/config/value.h"
#include "net/files/small_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::config {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view group_of(const ConfigKey& key) {
  return key.path.substr(0, std::min(key.path.find('.'), key.path.size()));
}

const ConfigKey* key_at(std::string_view path) {
  const std::string lower = base::ascii_lower(path);
  const auto found = std::ranges::find_if(
      config_keys(), [&](const ConfigKey& key) { return base::ascii_lower(key.path) == lower; });
  return found == config_keys().end() ? nullptr : &*found;
}

bool is_group(std::string_view path) {
  const std::string lower = base::ascii_lower(path);
  return key_at(path) == nullptr && std::ranges::any_of(config_keys(), [&](const ConfigKey& key) {
           return base::ascii_lower(group_of(key)) == lower;
         });
}

std::string unknown(const ConfigValue::Entry& entry) {
  std::vector<std::string_view> known;
  for (const ConfigKey& key : config_keys()) {
    known.push_back(key.path);
    known.push_back(group_of(key));
  }
  const auto meant = base::nearest(entry.value.path(), known);
  return fmt::format("{}: unknown key {}{}",
                     entry.line,
                     base::quoted(entry.value.path()),
                     meant ? fmt::format("; did you mean {}?", *meant) : std::string());
}

Result<void> take(Config& config, const ConfigKey& key, const ConfigValue& value) {
  if (value.is_null()) return {};  // same as absent
  return key.take(config, value);
}

// Groups are one level deep, and so is this recursion.
Result<void> take_map(Config& config, const ConfigValue& map) {
  if (map.is_null()) return {};
  TRY(const std::vector<ConfigValue::Entry> entries, map.entries());
  for (const ConfigValue::Entry& entry : entries) {
    if (const ConfigKey* key = key_at(entry.value.path()); key != nullptr) {
      if (config.origins.contains(key->path))
        return entry.value.wrong(fmt::format("is already set at {}; remove one",
                                             config.origins.at(std::string(key->path))));
      TRY_VOID(take(config, *key, entry.value));
      if (!entry.value.is_null()) config.origins.emplace(key->path, entry.line);
    } else if (map.path().empty() && is_group(entry.key)) {
      TRY_VOID(take_map(config, entry.value));
    } else {
      config.warnings.push_back(unknown(entry));
    }
  }
  return {};
}

}  // namespace

Result<Config> parse_config(const std::string& yaml) {
  return parse_config(yaml, {});
}

Result<Config> parse_config(const std::string& yaml, std::span<const ConfigOverride> overrides) {
  Config config;
  TRY(const YAML::Node root, load_yaml(yaml));
  TRY_VOID(take_map(config, ConfigValue("", root)));
  for (const ConfigOverride& one : overrides) {
    const ConfigKey* key = key_at(one.path);
    if (key == nullptr) return Error(Kind::internal, fmt::format("no key {}", one.path));
    auto taken = take(config, *key, ConfigValue(std::string(one.path), YAML::Node(one.text)));
    if (!taken.ok()) return std::move(taken).error().in(one.origin);
    config.origins.insert_or_assign(std::string(key->path), one.origin);
  }
  return config;
}

Result<Config> load_config(const std::string& path, std::span<const ConfigOverride> overrides) {
  TRY(const std::string text, net::read_small_file(path));
  auto config = parse_config(text, overrides);
  if (!config.ok()) return std::move(config).error().in(path);
  return config;
}

}  // namespace bridge::config
