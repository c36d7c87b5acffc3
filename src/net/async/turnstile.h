// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace net::inline async {

class Loop;
class Waiter;

// Lets at most so many through at a time.
//
// Guarantees  first come, first served: a newcomer never overtakes one who waits.
class Turnstile {
 public:
  // The right to be inside; given back when destroyed. Must not outlive its Turnstile.
  class [[nodiscard]] Pass {
   public:
    Pass(Pass&& other) noexcept : from_(std::exchange(other.from_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (from_ != nullptr) from_->leave();
    }

   private:
    friend class Turnstile;
    explicit Pass(Turnstile* from) : from_(from) {}
    Turnstile* from_;
  };

  Turnstile(Loop& loop, std::size_t limit) : loop_(loop), limit_(limit) {}
  Turnstile(const Turnstile&) = delete;
  Turnstile& operator=(const Turnstile&) = delete;
  // Expects that nobody is inside or waits; aborts otherwise.
  ~Turnstile();

  // nullopt: the time came first; Kind::cancelled: the task was.
  Task<base::Result<std::optional<Pass>>> enter(base::Instant deadline);

  std::size_t inside() const { return inside_; }
  std::size_t waiting() const { return queue_.size(); }
  std::size_t limit() const { return limit_; }

 private:
  void leave() noexcept;

  Loop& loop_;
  std::size_t limit_;
  std::size_t inside_ = 0;
  std::deque<Waiter*> queue_;
};

}  // namespace net::inline async
