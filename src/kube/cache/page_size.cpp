// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/page_size.h"

#include <algorithm>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;

constexpr int kContentTooLarge = 413;
constexpr int kGatewayTimeout = 504;

// An answer above the limit of the transport has no status: see net/http_wire/parser.cpp.
bool is_too_large(const Error& error) {
  return error.status() == kContentTooLarge || (error.is(Kind::protocol) && error.status() == 0);
}

bool is_too_slow(const Error& error, PageSize::Ended ended) {
  return error.status() == kGatewayTimeout ||
         (error.is(Kind::lost) && ended == PageSize::Ended::at_the_deadline);
}

}  // namespace

void PageSize::list_begins() {
  size_ = std::min(size_ * 2, most_);
}

bool PageSize::page_failed(const Error& error, Ended ended) {
  const std::size_t before = size_;
  if (is_too_large(error)) {
    size_ = std::max<std::size_t>(size_ / 2, 1);
    most_ = size_;
  } else if (is_too_slow(error, ended) && size_ > kSmallest) {
    size_ = std::max(size_ / 2, kSmallest);
  }
  return size_ < before;
}

}  // namespace kube::inline cache
