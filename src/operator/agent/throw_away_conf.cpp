// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/throw_away_conf.h"

#include "base/ascii.h"
#include "operator/agent/edited_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace slurmop::agent {
namespace {

// What a second slurmctld must not share with the real one.
constexpr std::string_view kOwnKeys[] = {
    "slurmctldport",
    "slurmctldpidfile",
    "slurmctldlogfile",
    "slurmschedlogfile",
    "statesavelocation",
    "slurmctldprimaryonprog",  // a program that runs when slurmctld starts
    "slurmctldprimaryoffprog",
    "communicationparameters",  // these two are added again, changed
    "authinfo",
};
// Databases and servers that slurmctld would register with and write to. Without slurmdbd a
// slurmctld that uses it never becomes ready.
constexpr std::string_view kOwnPrefixes[] = {"accountingstorage", "jobcomp"};

// Values that slurmctld looks up in slurmdbd. Without it they are fatal errors (tried with 26.05.5).
constexpr std::string_view kDatabaseKeys[] = {"priorityweighttres"};
constexpr std::string_view kDatabasePairs[] = {
    "qos", "allowqos", "denyqos", "tresbillingweights"};  // of a partition

bool is_in(std::string_view key, auto& keys) {
  return std::ranges::find(keys, key) != std::ranges::end(keys);
}

bool is_own(std::string_view key) {
  return is_controller_place(key) || is_in(key, kOwnKeys) ||
         std::ranges::any_of(kOwnPrefixes, [&](auto prefix) { return key.starts_with(prefix); });
}

bool uses_slurmdbd(std::string_view conf) {
  return base::ascii_lower(value_of(conf, "AccountingStorageType")).ends_with("slurmdbd");
}

// Removes one pair `Key=Value` or `Key="some value"` from the front, with the blanks before it.
std::string_view take_pair(std::string_view& rest) {
  std::size_t end = std::min(rest.find_first_not_of(" \t"), rest.size());
  for (bool quoted = false; end < rest.size(); ++end) {
    if (rest[end] == '"') quoted = !quoted;
    if (!quoted && (rest[end] == ' ' || rest[end] == '\t')) break;
  }
  const std::string_view pair = rest.substr(0, end);
  rest.remove_prefix(end);
  return pair;
}

std::string without_database_pairs(std::string_view line) {
  std::string kept;
  while (!line.empty()) {
    const std::string_view pair = take_pair(line);
    if (!is_in(key_of(pair), kDatabasePairs)) kept += pair;
  }
  return kept;
}

std::string without_database(std::string_view conf) {
  std::string kept;
  for (const std::string_view line : parts_of(conf, '\n')) {
    const std::string key = key_of(line);
    if (key == "partitionname") {
      kept += without_database_pairs(line);
    } else if (!is_in(key, kDatabaseKeys)) {
      kept += line;
    }
    kept += '\n';
  }
  kept.pop_back();  // the text after the last line break is not a line
  return kept;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '.' ||
         c == '-' || c == '_';
}

// Replaces a path wherever it is not the beginning of a longer one.
void replace_path(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = at + from.size();
    if (end < text.size() && is_name_character(text[end])) {
      at = end;
      continue;
    }
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

void add_option(std::string& options, std::string_view option) {
  options += fmt::format("{}{}", options.empty() ? "" : ",", option);
}

// /readyz needs HTTP on loopback. NoCtldInAddrAny would bind to the address of the host name, which
// in a pod is not loopback.
std::string communication(std::string_view conf) {
  std::string options;
  const std::string value = value_of(conf, "CommunicationParameters");
  for (const std::string_view option : parts_of(value, ',')) {
    const std::string lower = base::ascii_lower(option);
    if (option.empty() || lower == "disable_http" || lower == "noctldinaddrany") continue;
    add_option(options, option);
  }
  return options;
}

// Without its own authentication socket, which has a fixed path and would replace the real one.
std::string authentication(std::string_view conf) {
  std::string options = value_of(conf, "AuthInfo");
  if (base::ascii_lower(value_of(conf, "AuthType")) == "auth/slurm") {
    add_option(options, "disable_sack");
  }
  return options;
}

void add_line(std::string& conf, std::string_view key, std::string_view value) {
  if (!value.empty()) conf += fmt::format("{}={}\n", key, value);
}

}  // namespace

std::string throw_away_conf(const Configuration& configuration, const ThrowAway& place) {
  const std::string& original = slurm_conf(configuration);
  std::string conf = without_lines(original, is_own);
  if (uses_slurmdbd(original)) conf = without_database(conf);
  for (const auto& [name, content] : configuration.files) {
    replace_path(conf, place.active_folder + "/" + name, place.folder + "/" + name);
  }
  conf += local_controller_line(place.host);
  add_line(conf, "SlurmctldPort", std::to_string(place.port));
  add_line(conf, "SlurmctldPidFile", place.pid_file);
  add_line(conf, "StateSaveLocation", place.state);
  add_line(conf, "CommunicationParameters", communication(original));
  add_line(conf, "AuthInfo", authentication(original));
  return conf;
}

}  // namespace slurmop::agent
