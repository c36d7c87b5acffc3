// SPDX-License-Identifier: Apache-2.0
#include "net/async/semaphore.h"

#include "net/async/fatal.h"
#include "net/async/loop.h"
#include "net/async/waiter.h"

namespace net::inline async {

using Acquired = base::Result<std::optional<Semaphore::Permit>>;

Semaphore::~Semaphore() {
  if (in_use_ > 0 || !queue_.empty()) fatal("a Semaphore was destroyed while it was in use");
}

Task<Acquired> Semaphore::acquire(base::Instant deadline) {
  if (net::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (in_use_ < limit_) {
    ++in_use_;
    co_return Acquired(Permit(this));
  }

  Waiter waiter(loop_);
  queue_.push_back(&waiter);
  switch (co_await waiter.until(deadline)) {
    case Waiter::Woken::called: co_return Acquired(Permit(this));  // release() passed its permit on
    case Waiter::Woken::timed_out: std::erase(queue_, &waiter); co_return Acquired(std::nullopt);
    case Waiter::Woken::cancelled: std::erase(queue_, &waiter); co_return cancelled();
  }
  fatal("unreachable");
}

void Semaphore::release() noexcept {
  while (!queue_.empty()) {
    Waiter* next = queue_.front();
    queue_.pop_front();
    if (next->call()) return;  // the waiter now has the permit
  }
  --in_use_;
}

}  // namespace net::inline async
