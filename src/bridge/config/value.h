// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/label_selector.h"

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bridge::config {

// The first document of a text; the error has the place of a syntax error.
base::Result<YAML::Node> load_yaml(const std::string& text);

// A value in a configuration file, or the text of a flag or variable, parsed as the type of its
// key. Errors name the key and, in a file, the place.
class ConfigValue {
 public:
  struct Range {
    std::int32_t least;
    std::int32_t most;
  };

  ConfigValue(std::string path, const YAML::Node& node) : path_(std::move(path)), node_(node) {}

  base::Result<std::string> text() const;
  // Without white space or control characters: a name in another system.
  base::Result<std::string> word() const;
  base::Result<std::vector<std::string>> strings() const;
  base::Result<bool> boolean() const;
  base::Result<std::int32_t> integer(Range range) const;
  // A map in the format of Kubernetes, or the text format of kubectl.
  base::Result<kube::LabelSelector> selector() const;

  base::Error wrong(std::string_view what) const;

  // The entries of a map, in their order. A key is a string.
  struct Entry;
  base::Result<std::vector<Entry>> entries() const;
  base::Result<std::vector<ConfigValue>> elements() const;  // of a list

  const std::string& path() const { return path_; }
  bool is_null() const { return node_.IsNull(); }
  std::string line() const;

 private:
  base::Result<kube::LabelRequirement> requirement() const;
  base::Error unknown(std::span<const std::string_view> known) const;

  std::string path_;
  YAML::Node node_;
};

struct ConfigValue::Entry {
  std::string key;
  ConfigValue value;  // its path is complete
  std::string line;   // of the key
};

}  // namespace bridge::config
