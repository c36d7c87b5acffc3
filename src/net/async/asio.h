// SPDX-License-Identifier: Apache-2.0
#pragma once

// The light part of Asio that headers may use. Everything else (sockets, TLS, timers) is included
// by the few .cpp files of this folder that need it.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/this_coro.hpp>

namespace net::inline async {

namespace asio = boost::asio;

}  // namespace net::inline async
