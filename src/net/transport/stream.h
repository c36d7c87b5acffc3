// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/task.h"

#include <cstddef>

namespace net::inline transport {

// A connection that carries bytes both ways: TCP, TLS, or memory in tests.
//
// Expects     at most one read and one write at a time; that it outlives both, and their buffers
//             too.
// Guarantees  errors are Kind::cancelled (the task was) or Kind::lost (the connection broke or was
//             closed, by the peer or by close()).
// Does not    know deadlines: whoever has one closes the stream when it passes (deadline.h).
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  // Waits for at least one byte and returns how many came; 0 when the peer ended in good order.
  virtual Task<base::Result<std::size_t>> read_some(asio::mutable_buffer into) = 0;
  // All of it.
  virtual Task<base::Result<void>> write(asio::const_buffer bytes) = 0;
  // Ends the connection at once; what is pending fails.
  virtual void close() noexcept = 0;
  // Whether an idle connection can be used again, as far as can be seen without waiting: not
  // closed, neither by us nor by the peer, and nothing unasked-for has arrived.
  virtual bool looks_alive() = 0;
};

}  // namespace net::inline transport
