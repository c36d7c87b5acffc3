// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/fwd.h"
#include "net/transport/stream.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace net::inline transport {

// Two connected streams in memory, for tests and simulation: no sockets, so they run on virtual
// time. What one end writes the other reads, in order. close() at one end is an orderly end for the
// peer's reads and a broken connection for its writes. A write waits while the peer has `capacity`
// bytes unread.
std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>> memory_stream_pair(
    Loop& loop, std::size_t capacity = std::numeric_limits<std::size_t>::max());

}  // namespace net::inline transport
