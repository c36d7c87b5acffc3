// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstdlib>
#include <type_traits>
#include <utility>
#include <variant>

namespace base {

// A value or an Error. The class is [[nodiscard]], so `co_await f();` cannot drop an error
// silently; write `(void)` to drop one on purpose. Reading the side that is absent is a bug and
// aborts.
template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, Error>);

 public:
  Result(T value)
      : either_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: converts on purpose
  Result(Error error) : either_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: same

  bool ok() const { return either_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return must<0>(); }
  const T& value() const& { return const_cast<Result*>(this)->must<0>(); }
  T&& value() && { return std::move(must<0>()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return const_cast<Result*>(this)->must<1>(); }
  Error&& error() && { return std::move(must<1>()); }

 private:
  template <std::size_t I>
  auto& must() {
    auto* side = std::get_if<I>(&either_);
    if (side == nullptr) std::abort();
    return *side;
  }

  std::variant<T, Error> either_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: converts on purpose

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  const Error& error() const& {
    if (!error_) std::abort();
    return *error_;
  }
  Error&& error() && {
    if (!error_) std::abort();
    return std::move(*error_);
  }

 private:
  std::optional<Error> error_;
};

}  // namespace base

// The only macros of the project. `TRY(auto x, f());` declares x or returns the error of f from a
// plain function; CO_TRY does the same in a coroutine; the _VOID forms are for Result<void>.
#define SB_JOIN_(a, b) a##b
#define SB_JOIN(a, b) SB_JOIN_(a, b)
#define SB_TRY(declaration, expression, leave, temporary)  \
  auto temporary = (expression);                           \
  if (!temporary.ok()) leave std::move(temporary).error(); \
  declaration = std::move(temporary).value()
#define SB_TRY_VOID(expression, leave) \
  if (auto sb_outcome = (expression); !sb_outcome.ok()) leave std::move(sb_outcome).error()

#define TRY(declaration, expression) \
  SB_TRY(declaration, expression, return, SB_JOIN(sb_try_, __LINE__))
#define CO_TRY(declaration, expression) \
  SB_TRY(declaration, expression, co_return, SB_JOIN(sb_try_, __LINE__))
#define TRY_VOID(expression) SB_TRY_VOID(expression, return)
#define CO_TRY_VOID(expression) SB_TRY_VOID(expression, co_return)
