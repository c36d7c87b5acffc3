// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include "base/duration.h"
#include "base/integer.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace base {
namespace {

template <class T>
Flags::Set setter(T* into, Result<T> (*parse)(std::string_view)) {
  return [into, parse](std::string_view text) -> Result<void> {
    TRY(*into, parse(text));
    return {};
  };
}

Flags::Set setter(std::string* into) {
  return [into](std::string_view text) -> Result<void> {
    *into = text;
    return {};
  };
}

Flags::Set setter(std::vector<std::string>* into) {
  return [into](std::string_view text) -> Result<void> {
    into->emplace_back(text);
    return {};
  };
}

void append_flag(std::string& out,
                 std::string_view name,
                 std::string_view type,
                 std::string_view text) {
  fmt::format_to(
      std::back_inserter(out), "  --{}{}{}\n        {}", name, type.empty() ? "" : " ", type, text);
}

}  // namespace

Result<bool> parse_bool(std::string_view text) {
  for (const std::string_view yes : {"true", "True", "TRUE", "t", "T", "1"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"false", "False", "FALSE", "f", "F", "0"}) {
    if (text == no) return false;
  }
  return Error(Kind::invalid, fmt::format("{} is neither true nor false", quoted(text)));
}

Flags::Flags(std::string command, std::string summary)
    : command_(std::move(command)), summary_(std::move(summary)) {}

void Flags::add(Flag flag) {
  if (find(flag.name) != nullptr) {
    throw std::logic_error("flag --" + flag.name + " registered twice");
  }
  flags_.push_back(std::move(flag));
}

void Flags::add(std::string_view name, bool* into, std::string_view help) {
  add({std::string(name), "", std::string(help), *into ? "true" : "", setter(into, &parse_bool)});
}

void Flags::add(std::string_view name, std::int32_t* into, std::string_view help) {
  add({std::string(name),
       "int",
       std::string(help),
       fmt::format("{}", *into),
       setter(into, &parse_integer<std::int32_t>)});
}

void Flags::add(std::string_view name, std::int64_t* into, std::string_view help) {
  add({std::string(name),
       "int",
       std::string(help),
       fmt::format("{}", *into),
       setter(into, &parse_integer<std::int64_t>)});
}

void Flags::add(std::string_view name, std::string* into, std::string_view help) {
  add({std::string(name),
       "string",
       std::string(help),
       into->empty() ? "" : quoted(*into),
       setter(into)});
}

void Flags::add(std::string_view name, Duration* into, std::string_view help) {
  add({std::string(name),
       "duration",
       std::string(help),
       format_duration(*into),
       setter(into, &parse_duration)});
}

void Flags::add(std::string_view name, std::vector<std::string>* into, std::string_view help) {
  add({std::string(name), "string", fmt::format("{} (may be repeated)", help), "", setter(into)});
}

void Flags::add(std::string_view name, Set set, std::string_view type, std::string_view help) {
  add({std::string(name), std::string(type), std::string(help), "", std::move(set)});
}

void Flags::ignore(std::string_view name, Takes takes, std::string_view why) {
  add({std::string(name), takes == Takes::value ? "value" : "", std::string(why), "", nullptr});
}

void Flags::argument(std::string_view name, std::string* into, std::string_view help, Need need) {
  arguments_.push_back({std::string(name), std::string(help), need, false, setter(into)});
}

void Flags::rest(std::string_view name, std::vector<std::string>* into, std::string_view help) {
  arguments_.push_back({std::string(name), std::string(help), Need::optional, true, setter(into)});
}

const Flags::Flag* Flags::find(std::string_view name) const {
  const auto flag = std::ranges::find(flags_, name, &Flag::name);
  return flag == flags_.end() ? nullptr : &*flag;
}

std::string Flags::help() const {
  std::string out = fmt::format("Usage: {}{}", command_, flags_.empty() ? "" : " [flags]");
  for (const Argument& argument : arguments_) {
    const std::string shown = argument.name + (argument.repeats ? "..." : "");
    out.append(argument.need == Need::required ? " " + shown : " [" + shown + "]");
  }
  fmt::format_to(std::back_inserter(out), "\n\n{}\n", summary_);
  if (!arguments_.empty()) out.append("\nArguments:\n");
  for (const Argument& argument : arguments_) {
    fmt::format_to(std::back_inserter(out), "  {}\n        {}\n", argument.name, argument.help);
  }

  std::string ignored;
  bool any = false;
  for (const Flag& flag : flags_) {
    if (!flag.set) {
      ignored.append(ignored.empty() ? "  --" : ", --").append(flag.name);
      continue;
    }
    if (!std::exchange(any, true)) out.append("\nFlags:\n");
    append_flag(out, flag.name, flag.type, flag.help);
    if (!flag.fallback.empty()) out.append(fmt::format(" (default {})", flag.fallback));
    out.push_back('\n');
  }
  if (!ignored.empty()) {
    out.append("\nAccepted for compatibility, without effect:\n").append(ignored).append("\n");
  }
  return out;
}

}  // namespace base
