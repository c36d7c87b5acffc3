// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace base {

// Overwrites the bytes with zeroes; the optimiser cannot remove this.
void wipe(std::span<char> bytes);

// A token, password or key.
//
// Guarantees  prints as "[secret]" wherever it is formatted or logged; every byte that it held is
//             zeroed before its memory is freed; a move leaves no copy behind.
// Does not    protect from a core dump or a debugger while it exists, nor clear copies of reveal().
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text);
  // Takes over the text and wipes the source.
  static Secret consume(std::string& source);

  Secret(const Secret& other) : Secret(other.reveal()) {}
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret other) noexcept;
  ~Secret();

  // For the code that sends the secret or signs with it.
  std::string_view reveal() const { return {bytes_.get(), size_}; }
  bool empty() const { return size_ == 0; }

  // Takes the same time wherever two secrets of equal length differ.
  friend bool operator==(const Secret& a, const Secret& b);
  friend std::ostream& operator<<(std::ostream& out, const Secret&);

 private:
  std::unique_ptr<char[]> bytes_;  // not std::string: its small buffer would remain after a move
  std::size_t size_ = 0;
};

}  // namespace base

template <>
struct fmt::formatter<base::Secret> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const base::Secret&, Context& context) const {
    return fmt::formatter<std::string_view>::format("[secret]", context);
  }
};
