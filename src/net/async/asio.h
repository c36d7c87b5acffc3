// SPDX-License-Identifier: Apache-2.0
#pragma once

// The lightweight part of Asio that headers may use. Sockets, TLS and timers are included only by
// the .cpp files that need them.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/this_coro.hpp>

namespace net::inline async {

namespace asio = boost::asio;

}  // namespace net::inline async
