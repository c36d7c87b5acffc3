// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/edited_conf.h"

#include "base/ascii.h"
#include "base/integer.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::agent {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::uint16_t kDefaultPort = 6817;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

auto lines_of(std::string_view conf) {
  return parts_of(conf, '\n');
}

// The value of a line `Key=Value`, or of its first pair.
std::string_view first_value(std::string_view line) {
  std::string_view rest = trimmed(line.substr(line.find('=') + 1));
  if (!rest.starts_with('"')) return rest.substr(0, rest.find_first_of(" \t\r#"));
  rest.remove_prefix(1);
  return rest.substr(0, rest.find('"'));
}

}  // namespace

std::string key_of(std::string_view line) {
  line = trimmed(line);
  std::string_view key = line.substr(0, line.find_first_of("= \t#"));
  while (!key.empty() && std::string_view("+-*/").contains(key.back())) key.remove_suffix(1);
  return base::ascii_lower(key);
}

std::string value_of(std::string_view conf, std::string_view key) {
  const std::string wanted = base::ascii_lower(key);
  std::string_view found;
  for (const std::string_view line : lines_of(conf)) {
    if (key_of(line) == wanted) found = first_value(line);
  }
  return std::string(found);
}

std::size_t line_of(std::string_view conf, std::string_view key) {
  const std::string wanted = base::ascii_lower(key);
  std::size_t number = 0;
  std::size_t found = 0;
  for (const std::string_view line : lines_of(conf)) {
    ++number;
    if (wanted.empty() || key_of(line) != wanted) continue;
    if (found != 0) return 0;
    found = number;
  }
  return found;
}

std::uint16_t slurmctld_port(std::string_view conf) {
  const std::string value = value_of(conf, "SlurmctldPort");
  const auto port = base::parse_integer<std::uint16_t>(value.substr(0, value.find('-')));
  return port.ok() && *port != 0 ? *port : kDefaultPort;
}

std::string slurm_user(std::string_view conf) {
  std::string user = value_of(conf, "SlurmUser");
  return user.empty() ? "root" : user;
}

std::string jwt_key_file(std::string_view conf) {
  constexpr std::string_view kOption = "jwt_key=";
  const std::string value = value_of(conf, "AuthAltParameters");
  for (const std::string_view option : parts_of(value, ',')) {
    if (option.starts_with(kOption)) return std::string(option.substr(kOption.size()));
  }
  return {};
}

std::string without_lines(std::string_view conf,
                          const std::function<bool(std::string_view key)>& drops) {
  std::string kept;
  bool dropping = false;
  for (const std::string_view line : lines_of(conf)) {
    dropping = dropping || drops(key_of(line));
    if (!dropping) kept += line;
    kept += '\n';
    dropping = dropping && line.ends_with('\\');
  }
  return kept;
}

bool is_controller_place(std::string_view key) {
  return key == "slurmctldhost" || key == "slurmctldaddr";
}

std::string local_controller_line(std::string_view host) {
  return fmt::format("SlurmctldHost={}(127.0.0.1)\n", host);
}

std::string local_client_conf(std::string_view conf, std::string_view host) {
  return without_lines(conf, is_controller_place) + local_controller_line(host);
}

}  // namespace slurmop::agent
