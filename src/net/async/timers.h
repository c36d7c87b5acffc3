// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace net::inline async {

class Timers;

// An armed timer. Destroying, cancelling or overwriting it disarms it. Must not outlive its Timers.
class [[nodiscard]] Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer() { cancel(); }

  void cancel() noexcept;
  // False if it has fired (or is firing) or was cancelled.
  bool armed() const;

 private:
  friend class Timers;
  using Key = std::pair<base::Instant, std::uint64_t>;
  Timer(Timers* owner, Key key) : owner_(owner), key_(key) {}

  Timers* owner_ = nullptr;
  Key key_{};
};

// The timers of one loop, for real and virtual time. The loop drives them.
//
// Guarantees  timers fire in order of their instant, and timers of one instant in the order in
//             which they were armed; never before their instant. A callback may arm, cancel and
//             destroy any timer, including its own. A timer armed by a callback fires in a later
//             round, even if it is already due, so that a round always ends.
// Does not    wait, sleep or use a loop.
class Timers {
 public:
  // `head_changed` is called whenever arming or cancelling may have changed next().
  explicit Timers(const base::Clock& clock, std::function<void()> head_changed = {})
      : clock_(clock), head_changed_(std::move(head_changed)) {}
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  // A timer at kNever is not armed.
  Timer arm(base::Instant when, std::function<void()> what);

  // The instant of the earliest timer.
  std::optional<base::Instant> next() const;
  std::size_t size() const { return armed_.size(); }

  // Runs the timers that are due now and returns their number.
  std::size_t fire_due();

 private:
  friend class Timer;
  void disarm(const Timer::Key& key) noexcept;

  const base::Clock& clock_;
  std::function<void()> head_changed_;
  std::uint64_t sequence_ = 0;
  std::map<Timer::Key, std::function<void()>> armed_;  // a priority queue that supports removal
};

}  // namespace net::inline async
