// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "net/async/asio.h"

#include <boost/asio/cancellation_state.hpp>

namespace net::inline async {

// A coroutine of the loop. It runs only in a TaskGroup, or awaited by a task that does.
//
// Cancellation is a Kind, never an exception. Everything here that can wait (sleep, Signal, Stream,
// Connector) first checks whether the task was cancelled; a pending wait ends with Kind::cancelled.
// A task that continues after that gets the same result at its next wait, so it cannot hang.
//
// Rules:
//   - parameters by value, or references to objects that outlive the await;
//   - no capturing lambda as a coroutine unless TaskGroup keeps it;
//   - construct a Task, never assign to one (Asio 1.26 leaks the old frame).
template <class T>
using Task = asio::awaitable<T>;

// For primitives: `if (is_cancelled(co_await asio::this_coro::cancellation_state)) ...`
inline bool is_cancelled(const asio::cancellation_state& state) {
  return state.cancelled() != asio::cancellation_type::none;
}

inline base::Error cancelled() {
  return base::Error(base::Kind::cancelled, "the task was cancelled");
}

}  // namespace net::inline async
