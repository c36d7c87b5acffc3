// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/async/task.h"

#include <cstddef>

namespace net::inline transport {

// A connection that carries bytes both ways: TCP, TLS, or memory in tests.
//
// Expects     at most one read and one write at a time; stream and buffers outlive both.
// Guarantees  errors are Kind::cancelled (the task was cancelled) or Kind::lost (the connection
//             broke or was closed, by the peer or by close()).
// Does not    use deadlines: the caller closes the stream at its deadline (deadline.h).
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  // Waits for at least one byte and returns the number of bytes; 0 after an orderly end by the
  // peer.
  virtual Task<base::Result<std::size_t>> read_some(asio::mutable_buffer into) = 0;
  // Writes all bytes.
  virtual Task<base::Result<void>> write(asio::const_buffer bytes) = 0;
  // Closes the connection at once; pending operations fail.
  virtual void close() noexcept = 0;
  // Whether an idle connection can be reused, as far as is known without waiting: closed by neither
  // side, and no unexpected bytes have arrived.
  virtual bool looks_alive() = 0;
};

}  // namespace net::inline transport
