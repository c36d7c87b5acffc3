// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstddef>

namespace kube::inline cache {

// The number of objects to request in one page of a list.
//
// Guarantees  a page that is too large for the server or for our own limit (413, a body over the
//             limit) is halved, down to one object, and that size is never requested again. A page
//             that takes too long (504, no answer by the deadline) is halved down to kSmallest; the
//             next list doubles the size, because the server may only have been slow.
class PageSize {
 public:
  static constexpr std::size_t kMost = 500;
  static constexpr std::size_t kSmallest = 16;

  enum class Ended { before_the_deadline, at_the_deadline };

  std::size_t now() const { return size_; }
  void list_begins();
  // Returns true if the next page will be smaller.
  bool page_failed(const base::Error& error, Ended ended);

 private:
  std::size_t size_ = kMost;
  std::size_t most_ = kMost;
};

}  // namespace kube::inline cache
