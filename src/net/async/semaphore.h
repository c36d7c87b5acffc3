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

// Limits how many tasks hold a permit at the same time.
//
// Guarantees  permits are granted in the order of acquire().
class Semaphore {
 public:
  // Released when destroyed. Must not outlive its Semaphore.
  class [[nodiscard]] Permit {
   public:
    Permit(Permit&& other) noexcept : from_(std::exchange(other.from_, nullptr)) {}
    Permit& operator=(Permit&&) = delete;
    ~Permit() {
      if (from_ != nullptr) from_->release();
    }

   private:
    friend class Semaphore;
    explicit Permit(Semaphore* from) : from_(from) {}
    Semaphore* from_;
  };

  Semaphore(Loop& loop, std::size_t limit) : loop_(loop), limit_(limit) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  // Expects that no permit is held and no task waits; aborts otherwise.
  ~Semaphore();

  // nullopt: the deadline passed. Kind::cancelled: the task was cancelled.
  Task<base::Result<std::optional<Permit>>> acquire(base::Instant deadline);

  std::size_t in_use() const { return in_use_; }
  std::size_t waiting() const { return queue_.size(); }
  std::size_t limit() const { return limit_; }

 private:
  void release() noexcept;

  Loop& loop_;
  std::size_t limit_;
  std::size_t in_use_ = 0;
  std::deque<Waiter*> queue_;
};

}  // namespace net::inline async
