// SPDX-License-Identifier: Apache-2.0
#include "net/async/waiter.h"

#include "net/async/loop.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace net::inline async {

Task<Waiter::Woken> Waiter::until(base::Instant when) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return Woken::cancelled;
  const Timer timer = loop_.timers().arm(when, [this] { wake(Woken::timed_out); });
  co_await suspend(Cancellable::yes);
  co_return *woken_;
}

Task<void> Waiter::until_called() {
  co_await suspend(Cancellable::no);
}

Task<void> Waiter::suspend(Cancellable cancellable) {
  if (woken_) co_return;
  const auto start = [this, cancellable](auto handler) {
    const auto slot = asio::get_associated_cancellation_slot(handler);
    if (cancellable == Cancellable::yes && slot.is_connected()) {
      // Asio clears the slot before the task continues, so `this` is alive whenever it is called.
      auto cancel_slot = slot;
      cancel_slot.assign([this](asio::cancellation_type) { wake(Woken::cancelled); });
    }
    resume_ = std::move(handler);
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(start, asio::use_awaitable);
}

bool Waiter::wake(Woken how) {
  if (woken_) return false;
  woken_ = how;
  if (resume_) asio::post(loop_.executor(), std::exchange(resume_, nullptr));
  return true;
}

}  // namespace net::inline async
