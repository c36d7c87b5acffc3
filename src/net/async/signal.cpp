// SPDX-License-Identifier: Apache-2.0
#include "net/async/signal.h"

#include "net/async/fatal.h"
#include "net/async/loop.h"
#include "net/async/waiter.h"

#include <utility>

namespace net::inline async {

Signal::~Signal() {
  if (!waiting_.empty()) fatal("a Signal was destroyed while a task waited for it");
}

void Signal::notify() {
  bool reached = false;
  for (Waiter* waiter : waiting_) reached = waiter->call() || reached;
  remembered_ = remembered_ || !reached;
}

Task<base::Result<bool>> Signal::wait_until(base::Instant when) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (std::exchange(remembered_, false)) co_return true;

  Waiter waiter(loop_);
  waiting_.push_back(&waiter);
  const Waiter::Woken woken = co_await waiter.until(when);
  std::erase(waiting_, &waiter);
  if (woken == Waiter::Woken::cancelled) co_return cancelled();
  co_return woken == Waiter::Woken::called;
}

}  // namespace net::inline async
