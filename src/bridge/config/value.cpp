// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/value.h"

#include "base/ascii.h"
#include "base/flags.h"
#include "base/integer.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "kube/api/label_selector_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::config {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::size_t kLongestWord = 1024;

bool is_word(std::string_view text) {
  return text.size() <= kLongestWord && std::ranges::all_of(text, [](char c) {
           return static_cast<unsigned char>(c) > ' ' && c != '\x7f';
         });
}

std::string place(const YAML::Mark& mark) {
  return mark.is_null() ? "" : fmt::format("line {}, column {}: ", mark.line + 1, mark.column + 1);
}

}  // namespace

Result<YAML::Node> load_yaml(const std::string& text) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    return Error(Kind::invalid, place(e.mark) + e.msg);
  }
}

Error ConfigValue::wrong(std::string_view what) const {
  const std::string_view space = path_.empty() ? "" : " ";
  return Error(Kind::invalid, fmt::format("{}{}{}{}", place(node_.Mark()), path_, space, what));
}

std::string ConfigValue::line() const {
  const YAML::Mark mark = node_.Mark();
  return mark.is_null() ? "" : fmt::format("line {}", mark.line + 1);
}

Result<std::string> ConfigValue::text() const {
  if (!node_.IsScalar()) return wrong("must be a string");
  return node_.Scalar();
}

Result<std::string> ConfigValue::word() const {
  TRY(std::string word, text());
  if (!is_word(word))
    return wrong(fmt::format("is {}: it may not contain white space and has at most {} characters",
                             base::quoted(word),
                             kLongestWord));
  return word;
}

Result<std::vector<ConfigValue>> ConfigValue::elements() const {
  if (!node_.IsSequence()) return wrong("must be a list, such as [a, b]");
  std::vector<ConfigValue> all;
  for (const YAML::Node& element : node_)
    all.emplace_back(fmt::format("{}[{}]", path_, all.size()), element);
  return all;
}

Result<std::vector<std::string>> ConfigValue::strings() const {
  TRY(const std::vector<ConfigValue> all, elements());
  std::vector<std::string> strings;
  for (const ConfigValue& one : all) {
    TRY(std::string word, one.word());
    strings.push_back(std::move(word));
  }
  return strings;
}

Result<bool> ConfigValue::boolean() const {
  if (!node_.IsScalar()) return wrong("must be true or false");
  const auto parsed = base::parse_bool(node_.Scalar());
  if (!parsed.ok())
    return wrong(fmt::format("is {}; write true or false", base::quoted(node_.Scalar())));
  return *parsed;
}

Result<std::int32_t> ConfigValue::integer(Range range) const {
  const auto parsed = node_.IsScalar() ? base::parse_integer<std::int32_t>(node_.Scalar())
                                       : Result<std::int32_t>(wrong("is not a number"));
  if (parsed.ok() && *parsed >= range.least && *parsed <= range.most) return *parsed;
  return wrong(fmt::format("must be a whole number from {} to {}", range.least, range.most));
}

Result<std::vector<ConfigValue::Entry>> ConfigValue::entries() const {
  if (!node_.IsMap())
    return wrong(path_.empty() ? "the file must be a map of keys to values"
                               : "must be a map of keys to values");
  std::vector<Entry> all;
  for (const auto& entry : node_) {
    const ConfigValue key(path_, entry.first);
    if (!entry.first.IsScalar()) return key.wrong("has a key that is not a string");
    const std::string& name = entry.first.Scalar();
    all.push_back({name, {path_.empty() ? name : path_ + "." + name, entry.second}, key.line()});
  }
  return all;
}

Error ConfigValue::unknown(std::span<const std::string_view> known) const {
  const auto meant = base::nearest(path_.substr(path_.rfind('.') + 1), known);
  return wrong(meant ? fmt::format("does not exist; did you mean {}?", *meant)
                     : std::string("does not exist; remove it"));
}

Result<kube::LabelRequirement> ConfigValue::requirement() const {
  constexpr std::string_view kKnown[] = {"key", "operator", "values"};
  TRY(const std::vector<Entry> all, entries());
  kube::LabelRequirement requirement;
  for (const Entry& entry : all) {
    const std::string name = base::ascii_lower(entry.key);
    if (name == "key") {
      TRY(requirement.key, entry.value.text());
    } else if (name == "operator") {
      TRY(requirement.operator_, entry.value.text());
    } else if (name == "values") {
      if (entry.value.is_null()) continue;
      TRY(requirement.values, entry.value.strings());
    } else {
      return entry.value.unknown(kKnown);
    }
  }
  return requirement;
}

Result<kube::LabelSelector> ConfigValue::selector() const {
  constexpr std::string_view kKnown[] = {"matchLabels", "matchExpressions"};
  kube::LabelSelector selector;
  if (node_.IsScalar()) {
    if (node_.Scalar().empty()) return wrong("is empty; write {} for every namespace");
    auto parsed = kube::parse_label_selector(node_.Scalar());
    if (!parsed.ok()) return wrong(parsed.error().message());
    return parsed;
  }
  TRY(const std::vector<Entry> all, entries());
  for (const Entry& entry : all) {
    const std::string name = base::ascii_lower(entry.key);
    if (name != "matchlabels" && name != "matchexpressions") return entry.value.unknown(kKnown);
    if (entry.value.is_null()) continue;
    if (name == "matchlabels") {
      TRY(const std::vector<Entry> labels, entry.value.entries());
      for (const Entry& label : labels) {
        TRY(selector.matchLabels[label.key], label.value.text());
      }
    } else {
      TRY(const std::vector<ConfigValue> expressions, entry.value.elements());
      for (const ConfigValue& one : expressions) {
        TRY(kube::LabelRequirement requirement, one.requirement());
        selector.matchExpressions.push_back(std::move(requirement));
      }
    }
  }
  if (auto fine = kube::check(selector); !fine.ok())
    return wrong("is wrong: " + fine.error().message());
  return selector;
}

}  // namespace bridge::config
