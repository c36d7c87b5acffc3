// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/fwd.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace net::inline process {

// A program to run. Its standard input is empty.
struct Command {
  std::vector<std::string> argv;         // program (looked up in PATH without a "/") and arguments
  std::vector<std::string> environment;  // the complete environment, as "NAME=value"
  base::Duration at_most = std::chrono::seconds(30);
  std::size_t output_limit = 1UL << 20U;
};

// The environment of this process, as a base for Command::environment.
std::vector<std::string> environment();

struct Finished {
  int code = 0;  // exit status, or 128 + the number of the signal that ended it, as in a shell
  std::string output;
  std::string stderr_tail;  // last line of its standard error
};

// A child process.
//
// Guarantees  the loop never blocks on it. The outcome is reported once, in a later turn of the
//             loop. A child that exceeds its time or output limit is killed with its whole process
//             group (Kind::unavailable). A child whose Child object is destroyed is killed too, and
//             nothing is reported. No zombie remains while the loop runs.
class Child {
 public:
  using OnExit = std::function<void(base::Result<Finished>)>;

  // Kind::not_found if the program does not exist, Kind::invalid if it cannot be run.
  static base::Result<std::unique_ptr<Child>> start(Loop& loop, Command command, OnExit on_exit);

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

 private:
  class Process;
  explicit Child(std::shared_ptr<Process> process) : process_(std::move(process)) {}

  std::shared_ptr<Process> process_;
};

}  // namespace net::inline process
