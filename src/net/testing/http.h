// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the client side of a connection to a server, controlled byte by byte.

#include "base/result.h"
#include "net/async/loop.h"
#include "net/transport/stream.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace net::testing {

class RawClient {
 public:
  explicit RawClient(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}

  Task<base::Result<void>> send(std::string bytes) {
    co_return co_await stream_->write(asio::buffer(bytes));
  }
  // Reads until the server closes or breaks the connection.
  Task<std::string> read_all() {
    while (co_await read_more()) {
    }
    co_return std::exchange(received_, {});
  }
  // Reads up to and including `end`; less if the connection ends before.
  Task<std::string> read_until(std::string end) {
    while (!received_.contains(end)) {
      if (!co_await read_more()) co_return std::exchange(received_, {});
    }
    const auto size = received_.find(end) + end.size();
    std::string text = received_.substr(0, size);
    received_.erase(0, size);
    co_return text;
  }
  void close() { stream_->close(); }
  bool is_open() { return stream_->looks_alive(); }

 private:
  Task<bool> read_more() {
    std::array<char, 4096> buffer{};
    const auto n = co_await stream_->read_some(asio::buffer(buffer));
    if (!n.ok() || *n == 0) co_return false;
    received_.append(buffer.data(), *n);
    co_return true;
  }

  std::unique_ptr<Stream> stream_;
  std::string received_;
};

}  // namespace net::testing
