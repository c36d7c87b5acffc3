// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/transport/tcp_socket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>

// Reads and writes as Stream defines, on any object that Asio can read and write. Only for the .cpp
// files of this folder, because its includes are heavy.
namespace net::inline transport {

template <class Socket>
Task<base::Result<std::size_t>> read_from(Socket& socket, asio::mutable_buffer into) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  const auto [problem, n] =
      co_await socket.async_read_some(into, asio::as_tuple(asio::use_awaitable));
  if (!problem) co_return n;
  if (problem == asio::error::eof) co_return std::size_t{0};
  co_return broken(problem, is_cancelled(co_await asio::this_coro::cancellation_state));
}

template <class Socket>
Task<base::Result<void>> write_to(Socket& socket, asio::const_buffer bytes) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  const auto [problem, n] =
      co_await asio::async_write(socket, bytes, asio::as_tuple(asio::use_awaitable));
  if (!problem) co_return base::Result<void>();
  co_return broken(problem, is_cancelled(co_await asio::this_coro::cancellation_state));
}

}  // namespace net::inline transport
