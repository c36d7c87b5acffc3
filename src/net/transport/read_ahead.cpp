// SPDX-License-Identifier: Apache-2.0
#include "net/transport/read_ahead.h"

#include <memory>

namespace net::inline transport {
namespace {

constexpr std::size_t kPiece = 16UL << 10U;
constexpr std::size_t kMost = 48UL << 10U;  // reading pauses above this

}  // namespace

Task<void> ReadAhead::run() {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  for (;;) {
    const auto n = co_await stream_.read_some(asio::buffer(buffer.get(), kPiece));
    if (!n.ok() || *n == 0) break;
    bytes_.append(buffer.get(), *n);
    news_.notify();
    while (bytes_.size() > kMost) {
      if (!(co_await room_.wait()).ok()) break;
    }
  }
  ended_ = true;
  news_.notify();
}

std::string ReadAhead::take() {
  room_.notify();
  return std::exchange(bytes_, {});
}

}  // namespace net::inline transport
