// SPDX-License-Identifier: Apache-2.0
#include "net/async/task_group.h"

#include "net/async/fatal.h"
#include "net/async/loop.h"
#include "net/async/waiter.h"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <exception>

namespace net::inline async {

struct TaskGroup::Running {
  explicit Running(std::string task_name) : name(std::move(task_name)) {}

  std::string name;
  asio::cancellation_signal stop;
  bool listening = false;  // handles cancellation as a Kind; before that Asio would throw
};

// Completion handler of a task. It provides the cancellation slot itself: with
// bind_cancellation_slot an emit() from outside the loop would take effect one turn later.
struct TaskGroup::WhenDone {
  using cancellation_slot_type = asio::cancellation_slot;
  cancellation_slot_type get_cancellation_slot() const noexcept { return place->stop.slot(); }

  // Asio still uses the slot after this call, so the task is erased in a later turn.
  void operator()(const std::exception_ptr&) const {
    asio::post(group->loop_.executor(), [self = *this] { self.group->ended(self.place); });
  }

  TaskGroup* group;
  Place place;
};

TaskGroup::TaskGroup(Loop& loop) : loop_(loop) {}

TaskGroup::~TaskGroup() {
  if (!running_.empty())
    fatal(fmt::format("a task group was destroyed while these ran: {}", fmt::join(names(), ", ")));
}

void TaskGroup::spawn(std::string name, Task<void> task) {
  spawn(std::move(name), [task = std::move(task)]() mutable { return std::move(task); });
}

void TaskGroup::spawn(std::string name, std::move_only_function<Task<void>()> make) {
  const Place place = running_.emplace(running_.end(), std::move(name));
  asio::co_spawn(loop_.executor(), run(place, std::move(make)), WhenDone{this, place});
}

Task<void> TaskGroup::run(Place place, std::move_only_function<Task<void>()> make) {
  co_await asio::this_coro::throw_if_cancelled(false);
  place->listening = true;
  if (cancelled_) place->stop.emit(asio::cancellation_type::terminal);
  co_await asio::post(loop_.executor(), asio::use_awaitable);  // not inside the caller of spawn()
  try {
    co_await make();
  } catch (const std::exception& error) {
    fatal(fmt::format("task {}: {}", place->name, error.what()));
  } catch (...) {
    fatal(fmt::format("task {}: an unknown exception", place->name));
  }
}

void TaskGroup::cancel() {
  cancelled_ = true;
  for (Running& task : running_) {
    if (task.listening) task.stop.emit(asio::cancellation_type::terminal);
  }
}

std::vector<std::string> TaskGroup::names() const {
  std::vector<std::string> result;
  for (const Running& task : running_) result.push_back(task.name);
  return result;
}

Task<void> TaskGroup::join() {
  while (!empty()) {
    Waiter waiter(loop_);
    joining_.push_back(&waiter);
    co_await waiter.until_called();
  }
}

void TaskGroup::ended(Place place) {
  running_.erase(place);
  if (!running_.empty()) return;
  for (Waiter* waiter : std::exchange(joining_, {})) waiter->call();
}

}  // namespace net::inline async
