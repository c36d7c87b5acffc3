// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/task.h"

#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace net::inline async {

class Loop;
class Waiter;

// Owns tasks: every task of the process belongs to a group, is cancelled with it and is joined.
// There are no detached tasks.
//
// Expects     that its tasks have ended before it is destroyed: cancel(), then join(). Otherwise
//             aborts with the names of the running tasks.
// Guarantees  a spawned task starts in a later turn of the loop, in spawn order, and sees
//             cancellation as a Kind (task.h). An exception that leaves a task is a bug: the task's
//             name and the text are printed and the process aborts.
class TaskGroup {
 public:
  explicit TaskGroup(Loop& loop);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  void spawn(std::string name, Task<void> task);
  // Keeps `make` and its captures alive while the returned task runs.
  void spawn(std::string name, std::move_only_function<Task<void>()> make);

  // Cancels all tasks, including those spawned later.
  void cancel();
  bool is_cancelled() const { return cancelled_; }

  bool empty() const { return running_.empty(); }
  std::vector<std::string> names() const;

  // Returns when no task is left. Continues to wait even if the waiting task is cancelled. Must not
  // be awaited by a task of this group.
  Task<void> join();

 private:
  struct Running;
  struct WhenDone;
  using Place = std::list<Running>::iterator;

  Task<void> run(Place place, std::move_only_function<Task<void>()> make);
  void ended(Place place);

  Loop& loop_;
  bool cancelled_ = false;
  std::list<Running> running_;
  std::vector<Waiter*> joining_;
};

}  // namespace net::inline async
