// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/secret.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace slurmop::secrets {

// Zeroes memory before it is freed, also when a container grows.
template <class T>
struct WipingAllocator {
  using value_type = T;

  WipingAllocator() = default;
  template <class Other>
  WipingAllocator(const WipingAllocator<Other>&) {}  // NOLINT: converts as every allocator does

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* memory, std::size_t count) {
    base::wipe({reinterpret_cast<char*>(memory), count * sizeof(T)});
    std::allocator<T>().deallocate(memory, count);
  }

  friend bool operator==(const WipingAllocator&, const WipingAllocator&) { return true; }
};

// Secret bytes while they are put together. Not std::string: its small buffer would not be wiped.
using WipedBytes = std::vector<char, WipingAllocator<char>>;

}  // namespace slurmop::secrets
