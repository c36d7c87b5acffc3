// SPDX-License-Identifier: Apache-2.0
#include "operator/api/conf_lines.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace slurmop::api {

namespace {

using Problem = std::optional<std::string>;
using Names = std::span<const std::string_view>;

// A node's address, state and features derive from its pod; a second definition would win.
constexpr std::array<std::string_view, 8> kNodeOwned = {
    "NodeName", "NodeAddr", "NodeHostname", "BcastAddr", "Port", "State", "Feature", "Features"};
constexpr std::array<std::string_view, 2> kPartitionOwned = {"PartitionName", "Nodes"};

// Identity, authentication, addresses and directories: the pods depend on their values.
constexpr std::array<std::string_view, 28> kSlurmOwned = {"AccountingStorageHost",
                                                          "AccountingStoragePass",
                                                          "AccountingStoragePort",
                                                          "AccountingStorageType",
                                                          "AccountingStorageUser",
                                                          "AuthAltParameters",
                                                          "AuthAltTypes",
                                                          "AuthInfo",
                                                          "AuthType",
                                                          "BackupAddr",
                                                          "BackupController",
                                                          "ClusterName",
                                                          "ControlAddr",
                                                          "ControlMachine",
                                                          "CredType",
                                                          "PluginDir",
                                                          "ReturnToService",
                                                          "SlurmUser",
                                                          "SlurmctldAddr",
                                                          "SlurmctldHost",
                                                          "SlurmctldPidFile",
                                                          "SlurmctldPort",
                                                          "SlurmdPidFile",
                                                          "SlurmdPort",
                                                          "SlurmdSpoolDir",
                                                          "SlurmdUser",
                                                          "StateSaveLocation",
                                                          "SlurmctldPrimaryOnProg"};
constexpr std::array<std::string_view, 9> kSlurmRepeated = {"DownNodes",
                                                            "Epilog",
                                                            "EpilogSlurmctld",
                                                            "NodeName",
                                                            "NodeSet",
                                                            "PartitionName",
                                                            "PowerAction",
                                                            "Prolog",
                                                            "PrologSlurmctld"};
constexpr std::array<std::string_view, 5> kSlurmWithOptions = {
    "DownNodes", "NodeName", "NodeSet", "PartitionName", "PowerAction"};

bool contains(Names names, std::string_view key) {
  return std::ranges::any_of(names, [&](std::string_view one) { return same_key(one, key); });
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Removes "Key=value" from the front of the text, as Slurm's parser does: blanks may surround the
// '=', which may follow one of + - * /, and a value may be quoted. Returns the key; empty if the
// text does not begin with one.
std::string_view take_setting(std::string_view& text) {
  std::size_t at = 0;
  while (at < text.size() && is_key_character(text[at])) ++at;
  const std::string_view key = text.substr(0, at);
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at < text.size() && std::string_view("+-*/").contains(text[at])) ++at;
  if (key.empty() || at == text.size() || text[at] != '=') return {};
  ++at;
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at < text.size() && text[at] == '"') {
    const auto end = text.find('"', at + 1);
    if (end == std::string_view::npos) return {};
    at = end + 1;
    if (at < text.size() && !is_blank(text[at])) return {};
  } else {
    while (at < text.size() && !is_blank(text[at])) ++at;
  }
  text = without_blanks(text.substr(at));
  return key;
}

struct CaseLess {
  bool operator()(std::string_view a, std::string_view b) const {
    return base::ascii_lower(a) < base::ascii_lower(b);
  }
};

// Of one line of a file, and of the lines before it.
class LineChecker {
 public:
  explicit LineChecker(const LineRules& rules) : rules_(rules) {}

  Problem problem_of(std::string_view line, int number) {
    line = without_blanks(line.substr(0, line.find('#')));
    if (line.empty()) return std::nullopt;
    if (line.contains('\\')) return "write the value on one line, without a backslash";
    const std::string_view word = line.substr(0, line.find_first_of(" \t="));
    if (same_key(word, "include")) {
      return "other files cannot be included; write their lines instead";
    }
    const std::string_view key = take_setting(line);
    if (key.empty()) return fmt::format("{} is not Key=Value; correct it", base::quoted(word));
    if (contains(rules_.owned, key)) {
      return fmt::format("{} is managed by the operator; remove the line", key);
    }
    if (contains(rules_.with_options, key)) return option_problem(line, {});
    if (!line.empty()) {
      return fmt::format("{} follows the value of {}; write one key per line",
                         base::quoted(line.substr(0, line.find_first_of(" \t="))),
                         key);
    }
    return repetition(key, number);
  }

 private:
  Problem repetition(std::string_view key, int number) {
    if (contains(rules_.repeated, key)) return std::nullopt;
    const auto [found, is_new] = lines_.emplace(std::string(key), number);
    if (is_new) return std::nullopt;
    return fmt::format("{} is already set in line {}; remove one of both", key, found->second);
  }

  const LineRules& rules_;
  std::map<std::string, int, CaseLess> lines_;  // by key: where it was set
};

}  // namespace

bool same_key(std::string_view a, std::string_view b) {
  return base::ascii_lower(a) == base::ascii_lower(b);
}

OptionRules node_option_rules() {
  return {.owned = kNodeOwned,
          .remedy = "is set by the operator; remove it (features: nodeConfig.features)"};
}

OptionRules partition_option_rules() {
  return {.owned = kPartitionOwned, .remedy = "is set by the operator; use name and nodeSetRefs"};
}

LineRules slurm_line_rules() {
  return {.owned = kSlurmOwned, .repeated = kSlurmRepeated, .with_options = kSlurmWithOptions};
}

LineRules cgroup_line_rules() {
  return {};
}

Problem option_problem(std::string_view text, const OptionRules& rules) {
  std::set<std::string, CaseLess> seen;
  for (std::string_view rest = without_blanks(text); !rest.empty();) {
    const std::string_view before = rest;
    const std::string_view key = take_setting(rest);
    if (key.empty()) {
      return fmt::format("{} is not Key=Value; correct it",
                         base::quoted(before.substr(0, before.find_first_of(" \t"))));
    }
    if (contains(rules.owned, key)) return fmt::format("{} {}", key, rules.remedy);
    if (!seen.emplace(key).second) return fmt::format("{} appears twice; remove one of both", key);
  }
  return std::nullopt;
}

Problem lines_problem(std::string_view text, const LineRules& rules) {
  LineChecker checker(rules);
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool control = std::ranges::any_of(line, [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
    if (control) {
      return fmt::format("line {}: remove control characters; lines end with a line feed only",
                         number);
    }
    if (Problem wrong = checker.problem_of(line, number)) {
      return fmt::format("line {}: {}", number, *wrong);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace slurmop::api
