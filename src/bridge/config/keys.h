// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/config/config.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bridge::config {

class ConfigValue;

// One key of the configuration: its only definition.
struct ConfigKey {
  enum class Change { live, restart };  // when a change takes effect

  std::string_view path;  // "nodes.taint"
  Change change;
  base::Result<void> (*take)(Config&, const ConfigValue&);
  std::string (*show)(const Config&);  // its value as YAML, on one line
};

// In the order in which they are shown; keys of one group are adjacent.
std::span<const ConfigKey> config_keys();

// The paths of the keys whose values differ.
std::vector<std::string_view> changed_keys(const Config& before, const Config& after);

// The configuration as YAML, each value with its origin.
std::string show(const Config& config);

}  // namespace bridge::config
