// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/key_spec.h"

#include "base/ascii.h"
#include "base/integer.h"
#include "base/nearest.h"
#include "base/quote.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;
using base::quoted;
using base::Result;

bool is_alphanumeric(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && base::ascii_lower(a) == base::ascii_lower(b);
}

bool is_unlimited(std::string_view text) {
  return equal_ignoring_case(text, "INFINITE") || equal_ignoring_case(text, "UNLIMITED");
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Error invalid(std::string message) {
  return {Kind::invalid, std::move(message)};
}

// "; did you mean X?" or a short list of what is accepted.
std::string accepted(std::string_view word, std::span<const std::string_view> words) {
  if (const auto near = base::nearest(word, words)) return fmt::format("; did you mean {}?", *near);
  if (words.size() > 12) return "; see the Slurm documentation for its values";
  return fmt::format("; use one of: {}", fmt::join(words, ", "));
}

Result<void> check_boolean(std::string_view text) {
  static constexpr std::string_view kWords[] = {"yes", "no", "true", "false", "1", "0"};
  const std::string lower = base::ascii_lower(text);
  if (std::ranges::find(kWords, lower) != std::end(kWords)) return {};
  return invalid(fmt::format("{} is not yes or no", quoted(text)));
}

bool is_decimal(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, base::is_digit) &&
         (text.size() == 1 || text.front() != '0');
}

Result<void> check_number(const KeySpec& spec, std::string_view text) {
  if (spec.unlimited && is_unlimited(text)) return {};
  if (is_decimal(text)) {
    const auto number = base::parse_integer<std::uint64_t>(text);
    if (number.ok() && *number >= spec.least && *number <= spec.most) return {};
  }
  return invalid(fmt::format("{} is not a whole number from {} to {}{}",
                             quoted(text),
                             spec.least,
                             spec.most,
                             spec.unlimited ? " or UNLIMITED" : ""));
}

bool is_small_decimal(std::string_view text) {
  return !text.empty() && text.size() <= 7 && std::ranges::all_of(text, base::is_digit);
}

Result<void> check_time(std::string_view text) {
  if (is_unlimited(text)) return {};
  std::string_view clock = text;
  std::size_t most_parts = 3;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    if (!is_small_decimal(text.substr(0, dash)))
      clock = {};
    else
      clock = text.substr(dash + 1);
  }
  const std::vector<std::string_view> parts = split(clock, ':');
  if (parts.size() <= most_parts && std::ranges::all_of(parts, is_small_decimal)) return {};
  return invalid(
      fmt::format("{} is not a time; use minutes, hours:minutes:seconds, days-hours or UNLIMITED",
                  quoted(text)));
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view known) { return equal_ignoring_case(word, known); });
}

Result<void> check_choices(const KeySpec& spec, std::string_view text) {
  for (const std::string_view word : split(text, ',')) {
    if (is_one_of(word, spec.words)) continue;
    return invalid(fmt::format(
        "{} is not a value of {}{}", quoted(word), spec.name, accepted(word, spec.words)));
  }
  return {};
}

Result<void> check_counted(const KeySpec& spec, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && !is_decimal(text.substr(colon + 1))) {
    return invalid(fmt::format("{} does not end with a count", quoted(text)));
  }
  return check_choices(spec, text.substr(0, colon));
}

Result<void> check_plugins(const KeySpec& spec, std::string_view text) {
  for (const std::string_view word : split(text, ',')) {
    if (std::ranges::find(spec.words, word) != spec.words.end()) continue;
    return invalid(
        fmt::format("{} is not a plugin for {} (Slurm would start without reporting it){}",
                    quoted(word),
                    spec.name,
                    accepted(word, spec.words)));
  }
  return {};
}

Result<void> check_option(const KeySpec& spec, std::string_view option) {
  const std::size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  std::vector<std::string_view> names;
  for (const std::string_view word : spec.words) {
    const std::string_view known = word.substr(0, word.find('='));
    names.push_back(known);
    if (!equal_ignoring_case(known, name)) continue;
    if (known.size() == word.size()) {
      if (equals == std::string_view::npos) return {};
      return invalid(fmt::format("option {} of {} takes no value", name, spec.name));
    }
    if (equals == std::string_view::npos || equals + 1 == option.size()) {
      return invalid(fmt::format("option {0} of {1} needs a value: {0}=...", name, spec.name));
    }
    const std::string_view value = option.substr(equals + 1);
    if (word.ends_with('*') || is_decimal(value)) return {};
    return invalid(fmt::format("{} of option {} is not a whole number", quoted(value), name));
  }
  return invalid(fmt::format("{} is not an option of {} (Slurm would ignore it){}",
                             quoted(name),
                             spec.name,
                             accepted(name, names)));
}

Result<void> check_options(const KeySpec& spec, std::string_view text) {
  for (const std::string_view option : split(text, ',')) TRY_VOID(check_option(spec, option));
  return {};
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 253 && is_alphanumeric(text.front()) &&
         std::ranges::all_of(
             text, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

Result<void> check_name(std::string_view text) {
  if (is_name(text)) return {};
  return invalid(fmt::format(
      "{} is not a name; use letters, digits, '-', '_' and '.', beginning with a letter or digit",
      quoted(text)));
}

Result<void> check_names(std::string_view text) {
  for (const std::string_view name : split(text, ',')) TRY_VOID(check_name(name));
  return {};
}

Result<void> check_host(std::string_view text) {
  const bool address = !text.empty() && std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' ||
           c == '.';
  });
  if ((address && text.size() <= 45) || is_name(text)) return {};
  return invalid(fmt::format("{} is not a host name or an address", quoted(text)));
}

Result<void> check_path(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) || std::string_view("/._-%+:@*").find(c) != std::string_view::npos;
  });
  const bool climbs = text.ends_with("/..") || text.find("/../") != std::string_view::npos;
  if (text.starts_with('/') && plain && !climbs && text.size() <= 1024) return {};
  return invalid(
      fmt::format("{} is not an absolute path without blanks, quotes and '..'", quoted(text)));
}

// Slurm itself expands the expression; this only keeps anything else out.
Result<void> check_nodes(std::string_view text) {
  bool open = false;
  bool good = !text.empty();
  for (const char c : text) {
    if (c == '[' || c == ']') {
      good = good && open == (c == ']');
      open = c == '[';
    } else {
      good = good && (is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == ',');
    }
  }
  if (good && !open) return {};
  return invalid(fmt::format("{} is not a node expression such as worker-[0-3]", quoted(text)));
}

}  // namespace

Result<void> check(const KeySpec& spec, std::string_view text) {
  switch (spec.form) {
    case Form::boolean: return check_boolean(text);
    case Form::number: return check_number(spec, text);
    case Form::time: return check_time(text);
    case Form::choice:
      if (text.find(',') == std::string_view::npos) return check_choices(spec, text);
      return invalid(fmt::format("{} is more than one value", quoted(text)));
    case Form::choices: return check_choices(spec, text);
    case Form::counted: return check_counted(spec, text);
    case Form::options: return check_options(spec, text);
    case Form::plugin:
      if (text.find(',') == std::string_view::npos) return check_plugins(spec, text);
      return invalid(fmt::format("{} is more than one plugin", quoted(text)));
    case Form::plugins: return check_plugins(spec, text);
    case Form::name: return check_name(text);
    case Form::names: return check_names(text);
    case Form::host: return check_host(text);
    case Form::path: return check_path(text);
    case Form::nodes: return check_nodes(text);
    case Form::text: return {};
  }
  return {};
}

std::string sample_value(const KeySpec& spec) {
  switch (spec.form) {
    case Form::boolean: return "no";
    case Form::number: return std::to_string(spec.least);
    case Form::time: return "60";
    case Form::choice:
    case Form::choices:
    case Form::counted:
    case Form::plugin:
    case Form::plugins: return std::string(spec.words.front());
    case Form::options: {
      const std::string_view word = spec.words.front();
      return fmt::format("{}{}", word.substr(0, word.find('=')), word.contains('=') ? "=1" : "");
    }
    case Form::name:
    case Form::names: return "root";
    case Form::host: return "localhost";
    case Form::path: return "/tmp";
    case Form::nodes: return "n[1-2]";
    case Form::text: return "1";
  }
  return "";
}

const KeySpec* find_key(std::span<const KeySpec> keys, std::string_view name) {
  const auto found = std::ranges::find_if(
      keys, [&](const KeySpec& spec) { return equal_ignoring_case(spec.name, name); });
  return found == keys.end() ? nullptr : &*found;
}

std::string_view nearest_key(std::span<const KeySpec> keys, std::string_view name) {
  std::vector<std::string_view> names;
  for (const KeySpec& spec : keys) {
    if (spec.owner == Owner::user || spec.owner == Owner::both) names.push_back(spec.name);
  }
  return base::nearest(name, names).value_or(std::string_view());
}

}  // namespace slurmop::conf
