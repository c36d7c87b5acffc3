// SPDX-License-Identifier: Apache-2.0
#include "net/process/os_signals.h"

#include "net/async/loop.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>

namespace net::inline process {

Task<int> wait_for_signal(Loop& loop, std::vector<int> numbers) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return 0;
  asio::signal_set signals(loop.executor());
  for (const int number : numbers) signals.add(number);
  const auto [problem, number] = co_await signals.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return problem ? 0 : number;
}

Task<int> wait_for_stop_signal(Loop& loop) {
  std::vector<int> numbers = {SIGTERM, SIGINT};
  co_return co_await wait_for_signal(loop, std::move(numbers));
}

}  // namespace net::inline process
