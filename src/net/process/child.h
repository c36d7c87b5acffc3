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

// A program to run. Its input is empty.
struct Command {
  std::vector<std::string> words;        // the program, looked for in PATH unless it has a "/"
  std::vector<std::string> environment;  // "NAME=value", all of it
  base::Duration at_most = std::chrono::seconds(30);
  std::size_t output_limit = 1UL << 20U;
};

// This process's own environment, to add to.
std::vector<std::string> environment();

struct Finished {
  int code = 0;  // its exit status, or 128 + the signal that ended it, as a shell counts
  std::string output;
  std::string stderr_tail;  // the last line that it wrote to its standard error
};

// A program that runs beside us.
//
// Guarantees  the loop never waits for it. It is told about once, in a later turn of the loop. One
//             that takes too long or says too much is killed with its whole process group
//             (Kind::unavailable); so is one whose Child is destroyed, and then nothing is told.
//             Nothing of it stays behind as a zombie while the loop runs.
class Child {
 public:
  using Tell = std::function<void(base::Result<Finished>)>;

  // Kind::not_found if there is no such program, Kind::invalid if it cannot be run.
  static base::Result<std::unique_ptr<Child>> start(Loop& loop, Command command, Tell tell);

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

 private:
  class Process;
  explicit Child(std::shared_ptr<Process> process) : process_(std::move(process)) {}

  std::shared_ptr<Process> process_;
};

}  // namespace net::inline process
