// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/strong.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace base {

// One field of a log line. It refers to texts and errors without copying, so it costs nothing if
// the line is not written; it must not outlive the call that it is passed to.
class LogValue {
 public:
  using Held = std::variant<std::monostate,
                            bool,
                            std::int64_t,
                            std::uint64_t,
                            double,
                            std::string_view,
                            Duration,
                            WallTime,
                            const Error*>;

  // These constructors are implicit on purpose: a field is written as {"pod", key}.
  template <std::same_as<bool> T>
  LogValue(T value) : held_(value) {}
  template <std::signed_integral T>
  LogValue(T value) : held_(std::int64_t{value}) {}
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  LogValue(T value) : held_(std::uint64_t{value}) {}
  LogValue(double value) : held_(value) {}
  LogValue(std::string_view text) : held_(text) {}
  LogValue(const std::string& text) : held_(std::string_view(text)) {}
  LogValue(const char* text) : held_(std::string_view(text == nullptr ? "" : text)) {}
  LogValue(Duration duration) : held_(duration) {}
  LogValue(std::chrono::milliseconds duration) : held_(Duration(duration)) {}
  LogValue(std::chrono::seconds duration) : held_(Duration(duration)) {}
  LogValue(WallTime when) : held_(when) {}
  LogValue(const Error& error) : held_(&error) {}
  LogValue(const Secret&) : held_(std::string_view("[secret]")) {}
  template <class T, class Tag>
  LogValue(const Strong<T, Tag>& strong) : LogValue(strong.value()) {}
  template <class T>
  LogValue(const std::optional<T>& maybe) : LogValue(maybe ? LogValue(*maybe) : LogValue()) {}

  const Held& held() const { return held_; }

 private:
  LogValue() = default;

  Held held_;
};

struct LogField {
  std::string_view key;
  LogValue value;
};

using LogFields = std::initializer_list<LogField>;

}  // namespace base
