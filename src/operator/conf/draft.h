// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/custom_config.h"
#include "operator/conf/file.h"
#include "operator/conf/key_spec.h"
#include "operator/conf/line.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::conf {

// A value that a field of the resource gives to one key: {"MaxJobCount", "20000",
// "spec.slurmConfig.maxJobCount"}.
struct Setting {
  std::string key;
  std::string value;
  std::string field;
};

// A Slurm configuration file while it is rendered.
//
// Guarantees  every line is made of Key and Value and was checked against the table of keys. The
//             first invalid value is kept and returned by finish(); no file exists then.
//             A key has one line: a Setting replaces the default of set(), and a line of the custom
//             configuration replaces both. List keys with Owner::both are joined instead.
class Draft {
 public:
  explicit Draft(std::span<const KeySpec> keys) : keys_(keys) {}

  void use(std::span<const Setting> settings);
  void use(const CustomConfig& custom) { custom_ = &custom; }

  // `text` must be a literal of ours.
  void comment(std::string_view text);
  void set(std::string_view key, std::string_view text);
  void set(std::string_view key, std::uint64_t number);
  // A line of several pairs, each checked against `line_keys`; the first against the file's keys.
  void set_line(std::span<const KeySpec> line_keys,
                std::span<const std::pair<std::string_view, std::string>> pairs,
                std::span<const Pair> checked = {});
  // A line that was checked before, such as one of the custom configuration.
  void add(const Line& line) { append(line); }
  // The settings that replaced no default, under a comment.
  void rest_of_settings();
  void custom_lines();
  void fail(base::Error error);

  bool ok() const { return !error_; }
  base::Result<File> finish(std::string name) const;
  base::Result<std::string> text() const;

 private:
  std::optional<Pair> pair(std::span<const KeySpec> keys,
                           std::string_view key,
                           std::string_view text,
                           std::string_view field);
  void append(const Line& line);
  Line joined(const Line& line) const;

  std::span<const KeySpec> keys_;
  std::vector<Setting> settings_;
  std::set<std::string> used_settings_;        // lower case
  std::map<std::string, std::string> joined_;  // lower-case key -> entries of the operator
  const CustomConfig* custom_ = nullptr;
  std::string text_;
  std::optional<base::Error> error_;
};

}  // namespace slurmop::conf
