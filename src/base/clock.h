// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace base {

using Duration = std::chrono::nanoseconds;

// The monotonic time line for deadlines and intervals. It deliberately has no now(): only a Clock
// returns the time, so that code without std::chrono clocks runs on virtual time unchanged.
struct TimeLine {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<TimeLine>;
  static constexpr bool is_steady = true;
};
using Instant = TimeLine::time_point;
inline constexpr Instant kNever = Instant::max();

// Calendar time, for people and other systems. No waiting depends on it.
using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  virtual WallTime wall() const = 0;
};

class RealClock final : public Clock {
 public:
  Instant now() const override;
  WallTime wall() const override;
};

// A clock that only advances when the simulation advances it; never backwards.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(WallTime start = WallTime(std::chrono::seconds(1'700'000'000)))
      : wall_(start) {}

  Instant now() const override { return now_; }
  WallTime wall() const override { return wall_; }
  void advance_to(Instant when);
  // Moves calendar time only, as ntpd or an administrator does.
  void set_wall(WallTime wall) { wall_ = wall; }

 private:
  Instant now_{};
  WallTime wall_;
};

}  // namespace base
