// SPDX-License-Identifier: Apache-2.0
#include "net/async/loop.h"

#include "net/async/waiter.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace net::inline async {

using base::Instant;
using base::Result;

// The only place that uses Asio's loop and timer: one alarm, set to the earliest of our Timers.
class Loop::Engine {
 public:
  explicit Engine(const base::Clock& clock)
      : clock_(clock), timers_(clock, [this] { set_alarm(); }), io_(1) {}

  Timers& timers() { return timers_; }
  asio::io_context& io() { return io_; }

  void run() {
    io_.restart();
    if (!alarm_) alarm_.emplace(io_);
    real_time_ = true;
    set_alarm();
    io_.run();
    real_time_ = false;
    alarm_->cancel();
    alarm_at_ = base::kNever;
  }

  void run_virtual(base::VirtualClock& clock, Instant until) {
    for (;;) {
      run_ready();
      if (stopped_) return;
      const auto next = timers_.next();
      if (!next || *next > until) break;
      clock.advance_to(*next);
    }
    if (until != base::kNever) clock.advance_to(until);
  }

  bool run_ready() {
    stopped_ = false;
    bool any = false;
    for (;;) {
      // Timers first: most wake-ups are caused by a timer.
      const bool fired = timers_.fire_due() > 0;
      if (stopped_) return true;
      io_.restart();
      const bool ran = io_.poll() > 0;
      any = any || ran || fired;
      if (stopped_ || timers_.next().value_or(base::kNever) > clock_.now()) return any;
    }
  }

  void stop() {
    stopped_ = true;
    io_.stop();
  }

 private:
  // Called when the earliest timer changed. An alarm that fires too early only causes another
  // check, so it is moved for an earlier timer and left unchanged when a timer is removed, unless
  // that was the last timer: a pending alarm keeps run() from ending.
  void set_alarm() {
    if (!real_time_) return;
    const auto next = timers_.next();
    if (!next) {
      alarm_at_ = base::kNever;
      alarm_->cancel();
    } else if (*next < alarm_at_) {
      alarm_at_ = *next;
      alarm_->expires_after(std::max(base::Duration::zero(), *next - clock_.now()));
      alarm_->async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) ring();
      });
    }
  }

  void ring() {
    alarm_at_ = Instant::min();  // timers armed by the callbacks are considered below
    timers_.fire_due();
    alarm_at_ = base::kNever;
    set_alarm();
  }

  const base::Clock& clock_;
  Timers timers_;  // outlives the tasks that are destroyed with io_ and hold timers
  asio::io_context io_;
  // Created by run(): an Asio timer uses epoll, and each poll on virtual time would then be a
  // system call.
  std::optional<asio::steady_timer> alarm_;
  Instant alarm_at_ = base::kNever;
  bool real_time_ = false;
  bool stopped_ = false;
};

Loop::Loop(base::Clock& clock)
    : Loop(clock, (std::uint64_t{std::random_device{}()} << 32U) ^ std::random_device{}()) {}

Loop::Loop(base::Clock& clock, std::uint64_t seed)
    : clock_(clock), random_(seed), engine_(std::make_unique<Engine>(clock)) {}

Loop::~Loop() = default;

void Loop::run() {
  engine_->run();
}

void Loop::run_virtual(base::VirtualClock& clock, Instant until) {
  if (&clock != &clock_) std::abort();  // time would not advance
  engine_->run_virtual(clock, until);
}

bool Loop::run_ready() {
  return engine_->run_ready();
}

void Loop::stop() {
  engine_->stop();
}

Instant Loop::in(base::Duration delay) const {
  const Instant now = clock_.now();
  return delay >= base::kNever - now ? base::kNever : now + delay;
}

Timers& Loop::timers() {
  return engine_->timers();
}

asio::any_io_executor Loop::executor() {
  return engine_->io().get_executor();
}

Task<Result<void>> Loop::sleep_until(Instant when) {
  Waiter sleeper(*this);
  if (co_await sleeper.until(when) == Waiter::Woken::cancelled) co_return cancelled();
  co_return Result<void>();
}

Task<Result<void>> Loop::sleep_for(base::Duration delay) {
  return sleep_until(in(delay));
}

}  // namespace net::inline async
