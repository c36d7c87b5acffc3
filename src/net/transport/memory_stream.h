// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/fwd.h"
#include "net/transport/stream.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace net::inline transport {

// Creates two connected streams in memory, for tests and simulation: without sockets, so they run
// on virtual time. Each end reads what the other wrote, in order. close() at one end is an orderly
// end for the reads of the peer and a broken connection for its writes. A write waits while the
// peer has `capacity` unread bytes.
std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>> memory_stream_pair(
    Loop& loop, std::size_t capacity = std::numeric_limits<std::size_t>::max());

}  // namespace net::inline transport
