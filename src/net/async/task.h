// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "net/async/asio.h"

#include <boost/asio/cancellation_state.hpp>

namespace net::inline async {

// A coroutine of the loop. It runs only as part of a TaskGroup, or awaited by one that does.
//
// Cancellation is a Kind and never an exception. Everything here that can wait (sleep, Signal,
// Stream, Connector) looks first whether the task was cancelled; what was pending then ends with
// Kind::cancelled. A task that goes on after that meets the same answer at its next wait, so it
// cannot hang.
//
// Rules       parameters by value, or references to what outlives the await; no capturing lambda as
//             a coroutine unless TaskGroup keeps it; never assign to a Task (Asio 1.26 leaks the
//             old frame), only construct.
template <class T>
using Task = asio::awaitable<T>;

// For primitives: `if (is_cancelled(co_await asio::this_coro::cancellation_state)) ...`
inline bool is_cancelled(const asio::cancellation_state& state) {
  return state.cancelled() != asio::cancellation_type::none;
}

inline base::Error cancelled() {
  return base::Error(base::Kind::cancelled, "asked to stop");
}

}  // namespace net::inline async
