// SPDX-License-Identifier: Apache-2.0
#include "operator/api/checks.h"

#include "base/ascii.h"
#include "operator/api/conf_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slurmop::api {

namespace {

using Problem = std::optional<std::string>;

constexpr std::string_view kSpecial =
    "remove line breaks, quotes, backslashes, '#' and other special characters";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Printable ASCII that has no meaning for Slurm's parser inside a value.
bool is_word_character(char c) {
  return c > ' ' && c < 0x7f && c != '"' && c != '#' && c != '\\';
}

bool is_token_character(char c) {
  return c == ' ' || is_word_character(c);
}

bool is_name_character(char c) {
  return is_letter(c) || base::is_digit(c) || c == '_' || c == '.' || c == '-';
}

Problem word_problem(std::string_view value) {
  if (std::ranges::all_of(value, is_word_character)) return std::nullopt;
  return fmt::format("a configuration value is one word; {}, and spaces", kSpecial);
}

Problem tokens_problem(std::string_view value) {
  if (std::ranges::all_of(value, is_token_character)) return std::nullopt;
  return fmt::format("a configuration value is one line; {}", kSpecial);
}

Problem name_problem(std::string_view value) {
  if (!value.empty() && std::ranges::all_of(value, is_name_character) && value[0] != '-' &&
      value[0] != '.' && value[0] != '_') {
    return std::nullopt;
  }
  return "use only letters, digits, '_', '.' and '-', beginning with a letter or digit";
}

// Parameters are one line; `rules` checks what they are.
Problem one_line_of(std::string_view value, Problem (*rules)(std::string_view)) {
  if (Problem wrong = tokens_problem(value)) return wrong;
  return rules(value);
}

Problem whole_partition_problem(std::string_view value) {
  if (!value.starts_with("PartitionName=")) return "each line begins with PartitionName=; add it";
  return one_line_of(value, partition_line_problem);
}

Problem partition_name_problem(std::string_view value) {
  if (same_key(value, "default")) {
    return "Slurm reads DEFAULT as default values and not as a partition; choose another name";
  }
  return name_problem(value);
}

Problem node_set_name_problem(std::string_view value) {
  if (is_dns_label(value)) return std::nullopt;
  return "a NodeSet's name has lower-case letters, digits and '-', beginning with a letter";
}

Problem path_problem(std::string_view value) {
  if (value.starts_with('/') && !value.contains(':') && std::ranges::none_of(value, is_control)) {
    return std::nullopt;
  }
  return "write an absolute path without ':' and line breaks";
}

Problem one_line_problem(std::string_view value) {
  if (std::ranges::none_of(value, is_control)) return std::nullopt;
  return "remove line breaks and control characters";
}

// A line of authorized_keys, possibly with options before the type.
Problem public_key_problem(std::string_view value) {
  if (Problem wrong = one_line_problem(value)) return wrong;
  constexpr std::array<std::string_view, 6> kTypes = {"ssh-ed25519 ",
                                                      "ssh-rsa ",
                                                      "ecdsa-sha2-nistp",
                                                      "sk-ssh-ed25519@openssh.com ",
                                                      "sk-ecdsa-sha2-nistp256@openssh.com ",
                                                      "ssh-dss "};
  const bool known = std::ranges::any_of(kTypes, [&](std::string_view type) {
    const auto at = value.find(type);
    return at != std::string_view::npos && (at == 0 || value[at - 1] == ' ');
  });
  if (known) return std::nullopt;
  return "this is not an OpenSSH public key; write the content of a file such as "
         "~/.ssh/id_ed25519.pub";
}

}  // namespace

bool is_dns_label(std::string_view text) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.empty() || !lower(text.front()) || text.back() == '-') return false;
  return std::ranges::all_of(text,
                             [&](char c) { return lower(c) || base::is_digit(c) || c == '-'; });
}

Problem problem_of(Check check, std::string_view value) {
  switch (check) {
    case Check::none:
    case Check::node_filter:
    case Check::volume_source: return std::nullopt;
    case Check::conf_value:
    case Check::conf_map: return word_problem(value);
    case Check::conf_name: return name_problem(value);
    case Check::conf_tokens: return tokens_problem(value);
    case Check::node_options: return one_line_of(value, node_options_problem);
    case Check::partition_options: return one_line_of(value, partition_options_problem);
    case Check::partition_line: return whole_partition_problem(value);
    case Check::partition_name: return partition_name_problem(value);
    case Check::node_set_name: return node_set_name_problem(value);
    case Check::path: return path_problem(value);
    case Check::one_line: return one_line_problem(value);
    case Check::public_key: return public_key_problem(value);
    case Check::slurm_lines: return slurm_lines_problem(value);
    case Check::cgroup_lines: return cgroup_lines_problem(value);
  }
  return std::nullopt;
}

}  // namespace slurmop::api
