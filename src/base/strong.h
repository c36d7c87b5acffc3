// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <compare>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <utility>

namespace base {

// A string or number with one meaning:
//
//   using PodUid = base::Strong<std::string, struct PodUidTag>;
//   using JobId = base::Strong<std::uint32_t, struct JobIdTag>;
//
// It is constructed and read explicitly; a PodUid converts neither to a JobId nor to a plain
// string. It compares, hashes (std and Boost) and prints like its value. The default is the zero
// value of T.
template <class T, class Tag>
class Strong {
 public:
  using Value = T;

  constexpr Strong() = default;
  constexpr explicit Strong(T value) : value_(std::move(value)) {}

  constexpr const T& value() const& { return value_; }
  constexpr T&& value() && { return std::move(value_); }

  friend constexpr bool operator==(const Strong&, const Strong&) = default;
  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;
  friend std::size_t hash_value(const Strong& strong) { return std::hash<T>()(strong.value_); }
  friend std::ostream& operator<<(std::ostream& out, const Strong& strong) {
    return out << strong.value_;
  }

 private:
  T value_{};
};

}  // namespace base

template <class T, class Tag>
struct std::hash<base::Strong<T, Tag>> {
  std::size_t operator()(const base::Strong<T, Tag>& strong) const { return hash_value(strong); }
};

template <class T, class Tag>
struct fmt::formatter<base::Strong<T, Tag>> : fmt::formatter<T> {
  template <class Context>
  auto format(const base::Strong<T, Tag>& strong, Context& context) const {
    return fmt::formatter<T>::format(strong.value(), context);
  }
};
