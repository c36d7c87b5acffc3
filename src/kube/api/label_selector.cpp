// SPDX-License-Identifier: Apache-2.0
#include "kube/api/label_selector.h"

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace kube::inline api {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestPrefix = 253;
constexpr std::string_view kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist"};

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && is_letter_or_digit(text.front()) &&
         is_letter_or_digit(text.back()) && std::ranges::all_of(text, [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

bool is_dns_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '-' || c == '.';
  };
  const auto is_end = [&](char c) { return fits(c) && c != '-' && c != '.'; };
  return !text.empty() && text.size() <= kLongestPrefix && std::ranges::all_of(text, fits) &&
         is_end(text.front()) && is_end(text.back()) && !text.contains("..") &&
         !text.contains(".-") && !text.contains("-.");
}

Error invalid(std::string message) {
  return Error(Kind::invalid, std::move(message));
}

Result<void> check_operator(const std::string& name) {
  if (std::ranges::find(kOperators, name) != std::end(kOperators)) return {};
  const auto meant = base::nearest(name, kOperators);
  return invalid(fmt::format(
      "{} is not an operator; {}",
      base::quoted(name),
      meant ? fmt::format("did you mean {}?", *meant) : "write In, NotIn, Exists or DoesNotExist"));
}

Result<void> check_values(const LabelRequirement& requirement) {
  const bool wants_values = requirement.operator_ == "In" || requirement.operator_ == "NotIn";
  if (wants_values && requirement.values.empty())
    return invalid(fmt::format("{} needs at least one value", requirement.operator_));
  if (!wants_values && !requirement.values.empty())
    return invalid(fmt::format("{} takes no values; leave them out", requirement.operator_));
  for (const std::string& value : requirement.values) TRY_VOID(check_label_value(value));
  return {};
}

Result<void> in(std::string_view field, Result<void> checked) {
  if (checked.ok()) return checked;
  return std::move(checked).error().in(field);
}

bool holds(const LabelRequirement& requirement, const std::string* label) {
  const auto is_listed = [&] {
    return std::ranges::find(requirement.values, *label) != requirement.values.end();
  };
  if (requirement.operator_ == "In") return label != nullptr && is_listed();
  if (requirement.operator_ == "NotIn") return label == nullptr || !is_listed();
  if (requirement.operator_ == "Exists") return label != nullptr;
  if (requirement.operator_ == "DoesNotExist") return label == nullptr;
  return false;
}

}  // namespace

Result<void> check_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (slash != std::string_view::npos && !is_dns_name(key.substr(0, slash)))
    return invalid(
        fmt::format("{} is not a label key: the prefix before the / must be a lower-case DNS "
                    "name of at most {} letters",
                    base::quoted(key),
                    kLongestPrefix));
  if (!is_name(name))
    return invalid(
        fmt::format("{} is not a label key: a name has 1 to {} letters, digits, '-', '_' "
                    "or '.', with a letter or digit at both ends",
                    base::quoted(key),
                    kLongestName));
  return {};
}

Result<void> check_label_value(std::string_view value) {
  if (value.empty() || is_name(value)) return {};
  return invalid(
      fmt::format("{} is not a label value: it has at most {} letters, digits, '-', '_' or "
                  "'.', with a letter or digit at both ends",
                  base::quoted(value),
                  kLongestName));
}

Result<void> check(const LabelSelector& selector) {
  for (const auto& [key, value] : selector.matchLabels) {
    TRY_VOID(in("matchLabels", check_label_key(key)));
    TRY_VOID(in(fmt::format("matchLabels.{}", key), check_label_value(value)));
  }
  for (std::size_t i = 0; i < selector.matchExpressions.size(); ++i) {
    const LabelRequirement& one = selector.matchExpressions[i];
    const std::string where = fmt::format("matchExpressions[{}]", i);
    TRY_VOID(in(where + ".key", check_label_key(one.key)));
    TRY_VOID(in(where + ".operator", check_operator(one.operator_)));
    TRY_VOID(in(where + ".values", check_values(one)));
  }
  return {};
}

bool matches(const LabelSelector& selector, const std::map<std::string, std::string>& labels) {
  const auto find = [&](const std::string& key) -> const std::string* {
    const auto found = labels.find(key);
    return found == labels.end() ? nullptr : &found->second;
  };
  return std::ranges::all_of(selector.matchLabels,
                             [&](const auto& wanted) {
                               const std::string* label = find(wanted.first);
                               return label != nullptr && *label == wanted.second;
                             }) &&
         std::ranges::all_of(selector.matchExpressions, [&](const LabelRequirement& wanted) {
           return holds(wanted, find(wanted.key));
         });
}

}  // namespace kube::inline api
