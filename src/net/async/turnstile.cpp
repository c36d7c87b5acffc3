// SPDX-License-Identifier: Apache-2.0
#include "net/async/turnstile.h"

#include "net/async/fatal.h"
#include "net/async/loop.h"
#include "net/async/waiter.h"

namespace net::inline async {

using Entered = base::Result<std::optional<Turnstile::Pass>>;

Turnstile::~Turnstile() {
  if (inside_ > 0 || !queue_.empty()) fatal("a Turnstile was destroyed while it was in use");
}

Task<Entered> Turnstile::enter(base::Instant deadline) {
  if (net::is_cancelled(co_await asio::this_coro::cancellation_state)) co_return cancelled();
  if (inside_ < limit_) {
    ++inside_;
    co_return Entered(Pass(this));
  }

  Waiter waiter(loop_);
  queue_.push_back(&waiter);
  switch (co_await waiter.until(deadline)) {
    case Waiter::Woken::called: co_return Entered(Pass(this));  // leave() kept the place for us
    case Waiter::Woken::timed_out: std::erase(queue_, &waiter); co_return Entered(std::nullopt);
    case Waiter::Woken::cancelled: std::erase(queue_, &waiter); co_return cancelled();
  }
  fatal("not reached");
}

void Turnstile::leave() noexcept {
  while (!queue_.empty()) {
    Waiter* next = queue_.front();
    queue_.pop_front();
    if (next->call()) return;  // the place goes from hand to hand
  }
  --inside_;
}

}  // namespace net::inline async
