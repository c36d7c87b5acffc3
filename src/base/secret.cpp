// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include <algorithm>
#include <ostream>
#include <string.h>  // NOLINT: explicit_bzero is not in <cstring>
#include <utility>

namespace base {

void wipe(std::span<char> bytes) {
  if (!bytes.empty()) explicit_bzero(bytes.data(), bytes.size());
}

Secret::Secret(std::string_view text)
    : bytes_(text.empty() ? nullptr : new char[text.size()]), size_(text.size()) {
  std::ranges::copy(text, bytes_.get());
}

Secret Secret::consume(std::string& source) {
  Secret secret{std::string_view(source)};
  wipe(source);
  source.clear();
  return secret;
}

Secret::Secret(Secret&& other) noexcept
    : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

Secret::~Secret() {
  wipe({bytes_.get(), size_});
}

bool operator==(const Secret& a, const Secret& b) {
  const std::string_view left = a.reveal();
  const std::string_view right = b.reveal();
  if (left.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
  }
  return difference == 0;
}

std::ostream& operator<<(std::ostream& out, const Secret&) {
  return out << "[secret]";
}

}  // namespace base
