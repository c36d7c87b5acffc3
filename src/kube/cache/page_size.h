// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstddef>

namespace kube::inline cache {

// How many objects to ask for in one page of a list.
//
// Guarantees  a page that the server or our own limit calls too large (413, a body over the
//             limit) is halved down to one object and never asked for in that size again. A page
//             that takes too long (504, no answer by the deadline) is halved down to kSmallest; the
//             next list tries twice as many, because the server may only have been slow.
class PageSize {
 public:
  static constexpr std::size_t kMost = 500;
  static constexpr std::size_t kSmallest = 16;

  enum class Ended { before_the_deadline, at_the_deadline };

  std::size_t now() const { return size_; }
  void list_begins();
  // True if the next page will be smaller.
  bool page_failed(const base::Error& error, Ended ended);

 private:
  std::size_t size_ = kMost;
  std::size_t most_ = kMost;
};

}  // namespace kube::inline cache
