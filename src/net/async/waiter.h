// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/task.h"

#include <functional>
#include <optional>

namespace net::inline async {

class Loop;

// One wait of one task: the primitive of sleep, Signal, Semaphore and join. It lives in the frame
// of the waiting task, which registers it with the objects that may call it.
//
// Guarantees  the first of call, deadline and cancellation decides how the wait ends; the task
//             continues in a later turn of the loop, never inside the call that wakes it.
// Does not    support a second wait: create a new one.
class Waiter {
 public:
  enum class Woken { called, timed_out, cancelled };

  explicit Waiter(Loop& loop) : loop_(loop) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // Ends at once if the task is already cancelled or call() came before.
  Task<Woken> until(base::Instant when);
  // Continues to wait even if the task is cancelled: only if call() is certain.
  Task<void> until_called();

  // Returns true if the wait ends by a call, this one or an earlier one.
  bool call() { return wake(Woken::called) || woken_ == Woken::called; }

 private:
  enum class Cancellable { no, yes };

  bool wake(Woken how);
  Task<void> suspend(Cancellable cancellable);

  Loop& loop_;
  std::optional<Woken> woken_;
  std::move_only_function<void()> resume_;
};

}  // namespace net::inline async
