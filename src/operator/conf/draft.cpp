// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/draft.h"

#include "base/ascii.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slurmop::conf {
namespace {

using base::ascii_lower;
using base::Error;
using base::Kind;

// The entries of both comma-separated lists, in order, each once.
std::string join_lists(std::string_view first, std::string_view second) {
  std::string out(first);
  std::set<std::string, std::less<>> seen;
  const auto each = [](std::string_view list, auto&& function) {
    while (!list.empty()) {
      const std::string_view entry = list.substr(0, list.find(','));
      list.remove_prefix(std::min(entry.size() + 1, list.size()));
      function(entry);
    }
  };
  each(first, [&](std::string_view entry) { seen.insert(ascii_lower(entry)); });
  each(second, [&](std::string_view entry) {
    if (seen.insert(ascii_lower(entry)).second) out.append(",").append(entry);
  });
  return out;
}

}  // namespace

void Draft::use(std::span<const Setting> settings) {
  std::set<std::string> seen;
  for (const Setting& setting : settings) {
    const KeySpec* spec = find_key(keys_, setting.key);
    if (spec == nullptr || spec->owner == Owner::operator_own || spec->owner == Owner::forbidden ||
        spec->repeats) {
      fail({Kind::internal,
            fmt::format("{}: {} is no setting", setting.field, base::quoted(setting.key))});
      return;
    }
    if (!seen.insert(ascii_lower(setting.key)).second) {
      fail({Kind::internal, fmt::format("{}: {} is set twice", setting.field, setting.key)});
      return;
    }
    settings_.push_back(setting);
  }
}

void Draft::comment(std::string_view text) {
  if (!text_.empty()) text_.push_back('\n');
  text_.append("# ").append(text).append("\n");
}

std::optional<Pair> Draft::pair(std::span<const KeySpec> keys,
                                std::string_view key,
                                std::string_view text,
                                std::string_view field) {
  const KeySpec* spec = find_key(keys, key);
  if (spec == nullptr) {
    fail({Kind::internal, fmt::format("{} is not in the table of keys", key)});
    return std::nullopt;
  }
  auto parsed_key = Key::parse(spec->name);
  auto value = Value::parse(text);
  if (!parsed_key.ok())
    fail(std::move(parsed_key).error());
  else if (!value.ok())
    fail(std::move(value).error().in(field));
  else if (auto checked = check(*spec, text); !checked.ok())
    fail(std::move(checked).error().in(field));
  else
    return Pair{std::move(*parsed_key), std::move(*value)};
  return std::nullopt;
}

void Draft::set(std::string_view key, std::string_view text) {
  const KeySpec* spec = find_key(keys_, key);
  const std::string lower = ascii_lower(key);
  std::string_view field = key;
  if (spec != nullptr && !spec->repeats) {
    const auto setting = std::ranges::find_if(
        settings_, [&](const Setting& one) { return ascii_lower(one.key) == lower; });
    if (setting != settings_.end()) {
      text = setting->value;
      field = setting->field;
      used_settings_.insert(lower);
    }
  }
  const std::optional<Pair> checked = pair(keys_, key, text, field);
  if (!checked) return;
  if (custom_ != nullptr && !spec->repeats && custom_->find(key) != nullptr) {
    if (spec->owner == Owner::both) joined_[lower] = text;
    return;
  }
  append(Line(*checked));
}

void Draft::set(std::string_view key, std::uint64_t number) {
  set(key, std::to_string(number));
}

void Draft::set_line(std::span<const KeySpec> line_keys,
                     std::span<const std::pair<std::string_view, std::string>> pairs,
                     std::span<const Pair> checked) {
  std::optional<Line> line;
  for (const auto& [key, text] : pairs) {
    std::optional<Pair> next = pair(line ? line_keys : keys_, key, text, key);
    if (!next) return;
    if (line)
      line->add(std::move(*next));
    else
      line.emplace(std::move(*next));
  }
  if (!line) return;
  for (const Pair& next : checked) line->add(next);
  append(*line);
}

void Draft::rest_of_settings() {
  bool first = true;
  for (const Setting& setting : settings_) {
    if (used_settings_.contains(ascii_lower(setting.key))) continue;
    if (std::exchange(first, false)) comment("Settings of the resource");
    set(setting.key, setting.value);
  }
}

Line Draft::joined(const Line& line) const {
  const auto entries = joined_.find(ascii_lower(line.first().key.text()));
  if (entries == joined_.end()) return line;
  auto value = Value::parse(join_lists(entries->second, line.first().value.text()));
  // Both lists are values without blanks; only the length can be refused, and then the user's list
  // stays as it is.
  return value.ok() ? Line(Pair{line.first().key, std::move(*value)}) : line;
}

void Draft::custom_lines() {
  if (custom_ == nullptr) return;
  for (const Line& line : custom_->lines) append(joined(line));
}

void Draft::fail(base::Error error) {
  if (!error_) error_ = std::move(error);
}

void Draft::append(const Line& line) {
  text_.append(line.rendered()).append("\n");
}

base::Result<std::string> Draft::text() const {
  if (error_) return *error_;
  return text_;
}

base::Result<File> Draft::finish(std::string name) const {
  if (error_) return base::Error(*error_).in(name);
  return File::plain(std::move(name), text_);
}

}  // namespace slurmop::conf
