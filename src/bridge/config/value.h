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

// The first document of a text; the error says where it is no YAML.
base::Result<YAML::Node> load_yaml(const std::string& text);

// A value in a configuration file, or a flag's or variable's text: read as what its key wants.
// Errors name the key and, in a file, the place.
class ConfigValue {
 public:
  struct Range {
    std::int32_t least;
    std::int32_t most;
  };

  ConfigValue(std::string path, const YAML::Node& node) : path_(std::move(path)), node_(node) {}

  base::Result<std::string> text() const;
  // Without white space or control characters: the name of something in another system.
  base::Result<std::string> word() const;
  base::Result<std::vector<std::string>> words() const;
  base::Result<bool> boolean() const;
  base::Result<std::int32_t> integer(Range range) const;
  // A map as Kubernetes writes it, or kubectl's text form.
  base::Result<kube::LabelSelector> selector() const;

  base::Error wrong(std::string_view what) const;

  // The entries of a map, in their order. A key is a text.
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
  ConfigValue value;  // its path is the whole one
  std::string line;   // of the key
};

}  // namespace bridge::config
