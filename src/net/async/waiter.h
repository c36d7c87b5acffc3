// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/task.h"

#include <functional>
#include <optional>

namespace net::inline async {

class Loop;

// One wait of one task: the primitive under sleep, Signal, Semaphore and join. It lives in the
// frame of the task that waits, which registers it wherever somebody may call it.
//
// Guarantees  whichever comes first (call, time, cancellation) decides how the wait ends; the task
//             goes on in a later turn of the loop, never inside the one that wakes it.
// Does not    serve a second wait: make a new one.
class Waiter {
 public:
  enum class Woken { called, timed_out, cancelled };

  explicit Waiter(Loop& loop) : loop_(loop) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // Ends at once if the task is cancelled already or call() came before.
  Task<Woken> until(base::Instant when);
  // Goes on waiting even if the task is cancelled: only for what is certain to be called.
  Task<void> until_called();

  // True if the wait ends because it was called, now or earlier.
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
