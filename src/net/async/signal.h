// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"

#include <vector>

namespace net::inline async {

class Loop;
class Waiter;

// Wakes the tasks that wait for a change. It carries no content: a woken task looks at the state.
//
// Guarantees  notify() wakes all waiting tasks in the order in which they began to wait; without a
//             waiter one notification is kept for the next wait, so a change between looking and
//             waiting is not missed. Several notifications before a woken task runs count as one.
class Signal {
 public:
  explicit Signal(Loop& loop) : loop_(loop) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  // Expects that no task waits; aborts otherwise.
  ~Signal();

  void notify();

  // true: notified; false: the deadline passed; Kind::cancelled: the task was cancelled.
  Task<base::Result<bool>> wait_until(base::Instant when);
  Task<base::Result<bool>> wait() { return wait_until(base::kNever); }

 private:
  Loop& loop_;
  bool remembered_ = false;
  std::vector<Waiter*> waiting_;
};

}  // namespace net::inline async
