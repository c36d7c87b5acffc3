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

// An armed timer. Destroying, cancelling or overwriting it disarms; letting it fire is the only
// other end. Must not outlive its Timers.
class [[nodiscard]] Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer() { cancel(); }

  void cancel() noexcept;
  // False once it has fired (or is firing right now) or was cancelled.
  bool armed() const;

 private:
  friend class Timers;
  using Key = std::pair<base::Instant, std::uint64_t>;
  Timer(Timers* owner, Key key) : owner_(owner), key_(key) {}

  Timers* owner_ = nullptr;
  Key key_{};
};

// The timers of one loop, for real and virtual time alike: somebody else drives it.
//
// Guarantees  timers fire in order of their instant, those of one instant in the order they were
//             armed; never before their instant; a callback may arm, cancel and destroy any timer,
//             its own included. What a callback arms fires in a later round, even if it is due
//             already, so that a round always ends.
// Does not    wait, sleep or know a loop.
class Timers {
 public:
  // `head_changed` is called whenever next() may have changed by arming or cancelling.
  explicit Timers(const base::Clock& clock, std::function<void()> head_changed = {})
      : clock_(clock), head_changed_(std::move(head_changed)) {}
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  // At kNever nothing is armed.
  Timer arm(base::Instant when, std::function<void()> what);

  // When the earliest timer is due.
  std::optional<base::Instant> next() const;
  std::size_t size() const { return armed_.size(); }

  // Runs what is due by now and returns how many that were.
  std::size_t fire_due();

 private:
  friend class Timer;
  void disarm(const Timer::Key& key) noexcept;

  const base::Clock& clock_;
  std::function<void()> head_changed_;
  std::uint64_t sequence_ = 0;
  std::map<Timer::Key, std::function<void()>> armed_;  // a heap that can also forget
};

}  // namespace net::inline async
