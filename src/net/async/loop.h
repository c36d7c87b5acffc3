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

// The event loop: one thread that owns all state. Sockets and tasks run on its executor; all
// waiting uses its Timers.
//
// Expects     all calls come from the thread that runs it (other threads may only post to
//             executor()); everything that uses it is destroyed before it.
// Guarantees  on a VirtualClock the same program runs the same steps in the same order.
class Loop {
 public:
  // `seed` initialises random(); a simulation sets it, a daemon leaves it to the machine.
  explicit Loop(base::Clock& clock);
  Loop(base::Clock& clock, std::uint64_t seed);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  // Runs on real time until stop(), or until no work and no timer is left.
  void run();
  // Runs on virtual time: runs everything that is ready, advances the clock to the next timer, and
  // repeats, until nothing is left or the next timer is after `until`. At the end the clock is at
  // `until` (at the last event if that is kNever). Expects the clock that the loop was constructed
  // with.
  void run_virtual(base::VirtualClock& clock, base::Instant until = base::kNever);
  // Runs everything that is ready, including timers that are due, until nothing is left to do at
  // this instant, and returns whether anything ran. Neither advances the clock nor waits: for a
  // simulation that drives several loops on one clock.
  bool run_ready();
  // Ends the current run after the current handler.
  void stop();

  base::Clock& clock() { return clock_; }
  base::Instant now() const { return clock_.now(); }
  // now() + delay, limited to kNever.
  base::Instant in(base::Duration delay) const;
  Timers& timers();
  asio::any_io_executor executor();
  // 64 random bits from the only random source, so that a seed repeats the whole simulation.
  std::uint64_t random() { return random_(); }

  // ok when the time has passed, else Kind::cancelled. Other tasks always get a turn in between.
  Task<base::Result<void>> sleep_until(base::Instant when);
  Task<base::Result<void>> sleep_for(base::Duration delay);

 private:
  class Engine;

  base::Clock& clock_;
  std::mt19937_64 random_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace net::inline async
