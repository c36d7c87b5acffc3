// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"

#include <vector>

namespace net::inline async {

class Loop;
class Waiter;

// "Look again": wakes the tasks that wait for something to change. It carries no content.
//
// Guarantees  notify() wakes everybody who waits now, in the order they came; without a waiter it
//             is remembered, once, for the next one, so a change between looking and waiting is not
//             missed. Notifications before a woken task runs are one.
class Signal {
 public:
  explicit Signal(Loop& loop) : loop_(loop) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  // Expects that nobody waits; aborts otherwise.
  ~Signal();

  void notify();

  // true: notified; false: the time came; Kind::cancelled: the task was.
  Task<base::Result<bool>> wait_until(base::Instant when);
  Task<base::Result<bool>> wait() { return wait_until(base::kNever); }

 private:
  Loop& loop_;
  bool remembered_ = false;
  std::vector<Waiter*> waiting_;
};

}  // namespace net::inline async
