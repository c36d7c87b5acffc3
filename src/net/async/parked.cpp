// SPDX-License-Identifier: Apache-2.0
#include "net/async/parked.h"

#include "net/async/loop.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace net::inline async {

Task<Parked::Woken> Parked::until(base::Instant when) {
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return Woken::cancelled;
  const Timer timer = loop_.timers().arm(when, [this] { wake(Woken::time_came); });
  co_await park(Cancellable::yes);
  co_return *woken_;
}

Task<void> Parked::until_called() {
  co_await park(Cancellable::no);
}

Task<void> Parked::park(Cancellable cancellable) {
  if (woken_) co_return;
  const auto start = [this, cancellable](auto handler) {
    const auto slot = asio::get_associated_cancellation_slot(handler);
    if (cancellable == Cancellable::yes && slot.is_connected()) {
      // Asio empties the slot before the task goes on, so `this` is alive whenever it is called.
      auto cancel_slot = slot;
      cancel_slot.assign([this](asio::cancellation_type) { wake(Woken::cancelled); });
    }
    resume_ = std::move(handler);
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(start, asio::use_awaitable);
}

bool Parked::wake(Woken how) {
  if (woken_) return false;
  woken_ = how;
  if (resume_) asio::post(loop_.executor(), std::exchange(resume_, nullptr));
  return true;
}

}  // namespace net::inline async
