// SPDX-License-Identifier: Apache-2.0
#include "operator/api/validate_fields.h"

#include "operator/api/checks.h"
#include "operator/api/field_walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::api {

namespace {

bool is_default(const json::Value& value, std::string_view default_json) {
  if (default_json.empty()) return false;
  const auto parsed = json::parse(default_json);
  return parsed.ok() && *parsed == value;
}

// Maps and lists without content, and empty strings, ask for nothing.
bool is_empty(const json::Value& value) {
  if (const auto* text = value.as_string()) return text->empty();
  if (const auto* items = value.as_array()) return items->empty();
  return false;
}

std::int64_t characters(std::string_view utf8) {
  return std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; });
}

void check_limits(const FieldRow& row,
                  const std::string& place,
                  const json::Value& value,
                  Findings& findings) {
  std::int64_t measured = 0;
  std::string_view unit;
  if (const auto* number = value.as_int()) {
    measured = *number;
  } else if (const auto* text = value.as_string()) {
    measured = characters(*text);
    unit = " characters";
  } else if (const auto* items = value.as_array()) {
    measured = static_cast<std::int64_t>(items->size());
    unit = " items";
  } else {
    return;
  }
  // A row has the minimum of a number or list; a string has none.
  if (measured < row.minimum && !value.as_string()) {
    findings.errors.push_back(
        {place, fmt::format("{}{} is too small; at least {}", measured, unit, row.minimum)});
  }
  if (measured > row.maximum) {
    findings.errors.push_back(
        {place, fmt::format("{}{} is too large; at most {}", measured, unit, row.maximum)});
  }
}

void check_text(const FieldRow& row,
                const std::string& place,
                const json::Value& value,
                Findings& findings) {
  if (row.check == Check::none) return;
  if (const auto* text = value.as_string()) {
    if (auto wrong = problem_of(row.check, *text)) findings.errors.push_back({place, *wrong});
  } else if (const auto* map = value.as_object(); map != nullptr && row.check == Check::conf_map) {
    for (const auto& [key, member] : *map) {
      const auto* const member_text = member.as_string();
      auto wrong = problem_of(Check::conf_name, key);
      if (!wrong && member_text != nullptr) wrong = problem_of(row.check, *member_text);
      if (wrong) findings.errors.push_back({place, *wrong});
    }
  }
}

void check_mark(const FieldRow& row,
                const std::string& place,
                const json::Value& value,
                Findings& findings) {
  if (row.mark == Mark::acted || is_default(value, row.default_json) || is_empty(value)) return;
  if (row.mark == Mark::refused) {
    findings.errors.push_back({place, std::string(row.remedy)});
  } else if (std::ranges::find(findings.accepted, row.reported) == findings.accepted.end()) {
    findings.accepted.emplace_back(row.reported);
  }
}

}  // namespace

void check_fields(const json::Value& object, std::span<const FieldRow> rows, Findings& findings) {
  for (const FieldRow& row : rows) {
    visit_field(object, row.path, [&](const std::string& place, const json::Value& value) {
      check_mark(row, place, value, findings);
      check_limits(row, place, value, findings);
      check_text(row, place, value, findings);
    });
  }
}

void add_decode_error(const base::Error& error, Findings& findings) {
  std::string_view text = error.message();
  std::string_view field = text.substr(0, text.find(": "));
  if (!field.starts_with("$.") || field.size() == text.size()) {
    findings.errors.push_back({"object", std::string(text)});
    return;
  }
  text.remove_prefix(field.size() + 2);
  field.remove_prefix(2);
  findings.errors.push_back({std::string(field), std::string(text)});
}

// Longest derived name of a cluster: the tables of accounting, which are limited to 64 characters
// (<cluster>_assoc_usage_month_table). Services and pod host names are limited to 63
// (<cluster>-login-headless-svc).
void check_name(std::string_view name, Findings& findings) {
  if (is_dns_label(name) && name.size() <= kLongestName) return;
  findings.errors.push_back(
      {"metadata.name",
       fmt::format("pod names, labels, Services and the tables of accounting derive from it; use "
                   "at most {} lower-case letters, digits and '-', beginning with a letter",
                   kLongestName)});
}

}  // namespace slurmop::api
