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

// The owner of tasks: every task of the process belongs to a group, is asked to end with it and is
// waited for. There are no detached tasks.
//
// Expects     that its tasks have ended before it is destroyed: cancel(), then join(). Aborts with
//             their names otherwise.
// Guarantees  a spawned task starts in a later turn of the loop, in spawn order, and sees
//             cancellation as a Kind (task.h). An exception that leaves a task is a bug: its name
//             and text are printed and the process aborts.
class TaskGroup {
 public:
  explicit TaskGroup(Loop& loop);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  void spawn(std::string name, Task<void> task);
  // Keeps `make` and its captures alive while the task that it returns runs.
  void spawn(std::string name, std::move_only_function<Task<void>()> make);

  // Asks all tasks to end, also those that are spawned later.
  void cancel();
  bool is_cancelled() const { return cancelled_; }

  bool empty() const { return running_.empty(); }
  std::vector<std::string> names() const;

  // Returns when no task is left. Waits on even if the waiting task is cancelled, and must not be
  // awaited by a task of this group.
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
