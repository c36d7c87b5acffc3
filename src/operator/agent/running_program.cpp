// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/running_program.h"

#include <atomic>
#include <sys/wait.h>
#include <utility>

namespace slurmop::agent {

using base::Result;

namespace {

std::atomic<int> programs = 0;

}  // namespace

RunningProgram::RunningProgram(net::Loop& loop) : loop_(loop), ended_(loop) {
  ++programs;
}

RunningProgram::~RunningProgram() {
  --programs;
}

// A program that was abandoned may be reaped here too; nobody waits for its status.
void reap_orphans() {
  while (programs == 0 && ::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

Result<void> RunningProgram::start(net::Command command) {
  TRY(child_, net::Child::start(loop_, std::move(command), [this](Result<net::Finished> how) {
        outcome_ = std::move(how);
        ended_.notify();
      }));
  return {};
}

net::Task<Result<bool>> RunningProgram::wait_until(base::Instant when) {
  while (!outcome_) {
    const auto woken = co_await ended_.wait_until(when);
    if (!woken.ok()) co_return woken.error();
    if (!*woken) co_return false;
  }
  co_return true;
}

net::Task<Result<net::Finished>> run_program(net::Loop& loop, net::Command command) {
  RunningProgram program(loop);
  CO_TRY_VOID(program.start(std::move(command)));
  CO_TRY(const bool ended, co_await program.wait_until(base::kNever));
  (void)ended;
  co_return *program.outcome();
}

}  // namespace slurmop::agent
