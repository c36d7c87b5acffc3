// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/auth/exec_credential.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/async/task.h"
#include "net/process/child.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace kube::inline auth {

// Runs an exec plugin and keeps its credential.
//
// Guarantees  runs at most one plugin at a time for any number of callers; again only shortly
//             before the credential expires or after the server refused it, and at most once per
//             kPause. A run continues if its first caller gives up: the next caller gets the
//             result.
class ExecPlugin {
 public:
  static constexpr auto kPause = std::chrono::seconds(5);

  ExecPlugin(net::Loop& loop, ExecSpec spec);

  // Kind::unauthorized (or not_found, if the program does not exist) contains the message of the
  // plugin; Kind::unreachable if it has not answered by the deadline.
  net::Task<base::Result<std::shared_ptr<const ExecCredential>>> credential(base::Instant deadline);
  // The server rejected the credential.
  void refused();

  std::uint64_t runs() const { return runs_; }

 private:
  base::Result<void> start();
  void finished(base::Result<net::Finished> how);
  base::Result<ExecCredential> read(base::Result<net::Finished> how) const;
  void keep(ExecCredential credential);
  base::Error explain(base::Error error) const;

  net::Loop& loop_;
  ExecSpec spec_;
  std::shared_ptr<const ExecCredential> held_;
  base::Instant valid_until_ = base::Instant::min();
  std::optional<base::Error> failure_;  // of the last run
  base::Instant ended_at_ = base::Instant::min();
  std::uint64_t runs_ = 0;
  net::Signal done_;
  std::unique_ptr<net::Child> child_;  // while it runs
};

}  // namespace kube::inline auth
