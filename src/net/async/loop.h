// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"
#include "net/async/timers.h"

#include <cstdint>
#include <memory>
#include <random>

namespace net::inline async {

// The event loop: one thread that owns all state. Sockets and tasks run on its executor, time goes
// through its Timers.
//
// Expects     all calls from the thread that runs it (others may only post to executor());
//             whatever uses it is gone before it is destroyed.
// Guarantees  on a VirtualClock the same program runs the same steps in the same order.
class Loop {
 public:
  // `seed` feeds random(); a simulation chooses it, a daemon leaves it to the machine.
  explicit Loop(base::Clock& clock);
  Loop(base::Clock& clock, std::uint64_t seed);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  // Runs for real until stop() or until nothing is left that could ever happen.
  void run();
  // Runs on virtual time: everything that is ready, then the clock jumps to the next timer, and so
  // on, until nothing is left or the next timer is after `until`. Then the clock stands at `until`
  // (at the last event if that is kNever). Expects the clock that the loop was made with.
  void run_virtual(base::VirtualClock& clock, base::Instant until = base::kNever);
  // Runs what is ready, timers that are due by now included, until nothing is left to do at this
  // instant, and returns whether anything ran. Neither moves the clock nor waits: for a simulation
  // that drives several loops on one clock.
  bool run_ready();
  // Ends the run in progress after the current handler.
  void stop();

  base::Clock& clock() { return clock_; }
  base::Instant now() const { return clock_.now(); }
  // now() + delay, but never past kNever.
  base::Instant in(base::Duration delay) const;
  Timers& timers();
  asio::any_io_executor executor();
  // 64 random bits from the one source of chance, so that a seed repeats a whole history.
  std::uint64_t random() { return random_(); }

  // ok when the time has come, else Kind::cancelled. Always lets others run in between.
  Task<base::Result<void>> sleep_until(base::Instant when);
  Task<base::Result<void>> sleep_for(base::Duration delay);

 private:
  class Engine;

  base::Clock& clock_;
  std::mt19937_64 random_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace net::inline async
