// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/process/child.h"

#include <memory>
#include <optional>

namespace slurmop::agent {

// A child process that a task waits for. Destroying it ends the process with its whole group.
class RunningProgram {
 public:
  explicit RunningProgram(net::Loop& loop);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  // Errors of net::Child::start.
  base::Result<void> start(net::Command command);

  // Waits for the end of the process; false if the time passed before. Kind::cancelled if the task
  // was cancelled.
  net::Task<base::Result<bool>> wait_until(base::Instant when);

  // Empty while it runs. Kind::unavailable if it exceeded its time.
  const std::optional<base::Result<net::Finished>>& outcome() const { return outcome_; }

 private:
  net::Loop& loop_;
  net::Signal ended_;
  std::optional<base::Result<net::Finished>> outcome_;
  std::unique_ptr<net::Child> child_;  // destroyed first: its callback uses the others
};

// Reaps the descendants of programs that outlived them: the first process of a container becomes
// their parent, and without this they stay as zombies. Does nothing while a RunningProgram exists.
void reap_orphans();

// Runs a program to its end.
net::Task<base::Result<net::Finished>> run_program(net::Loop& loop, net::Command command);

}  // namespace slurmop::agent
