// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/signal.h"
#include "operator/process/endpoint_transport.h"
#include "operator/process/link_context.h"
#include "operator/process/slurm_token.h"
#include "operator/workers/slurm_view.h"
#include "slurm/client/client.h"
#include "slurm/mirror/node_mirror.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::process {

struct SlurmWatchTiming {
  base::Duration stale_after = std::chrono::seconds(15);  // an older answer proves nothing
  base::Duration partitions = std::chrono::seconds(5);
  base::Duration jobs = std::chrono::seconds(5);      // while they are wanted
  base::Duration contact = std::chrono::seconds(2);   // between attempts to reach slurmrestd first
  base::Duration renewal = std::chrono::seconds(30);  // of key and API version
  base::Duration call = std::chrono::seconds(10);
};

// Follows the Slurm of one cluster: nodes, partitions and, while they are wanted, running jobs.
//
// Expects     run() in a task; everything given outlives it.
// Guarantees  view() is unknown before the first complete answer, and when the oldest part of its
//             content is older than `stale_after`. `changed` is called after a change of what view()
//             returns, also when it becomes unknown.
// Does not    change anything in Slurm.
class SlurmWatch {
 public:
  SlurmWatch(const LinkContext& context, kube::ObjectKey cluster, SlurmWatchTiming timing = {});
  SlurmWatch(const SlurmWatch&) = delete;
  SlurmWatch& operator=(const SlurmWatch&) = delete;

  // Until its task is cancelled.
  net::Task<void> run();
  void on_change(std::function<void()> call) { changed_ = std::move(call); }

  workers::SlurmView view() const;
  // Whether the first attempt to read Slurm has ended, well or not. Before it, an unknown state only
  // means that the operator has just started.
  bool has_tried() const { return has_tried_; }
  // For the steps of a plan.
  slurm::Client& client() { return client_; }
  // A step was executed: look for its effect now.
  void hurry();
  // Whether the next views should contain the jobs, and whether somebody waits for a change.
  void want_jobs(bool wanted);
  void expect_changes(bool expected) { changes_expected_ = expected; }

 private:
  template <class T>
  struct Answered {
    T content{};
    base::Instant as_of = base::Instant::min();
  };

  net::Task<bool> make_contact();
  net::Task<base::Result<void>> try_contact();
  net::Task<void> keep_contact();
  net::Task<void> poll();
  net::Task<void> poll_partitions();
  net::Task<void> poll_jobs();
  void note_problem(std::string problem);
  void nodes_answered();
  void update_known();
  bool is_fresh(base::Instant as_of) const;
  base::Instant as_of() const;
  std::string why_unknown() const;
  void report() const;

  net::Loop& loop_;
  SlurmWatchTiming timing_;
  SlurmToken token_;
  EndpointTransport transport_;
  slurm::Client client_;
  slurm::NodeMirror nodes_;
  std::function<void()> changed_;
  net::Signal wake_;
  net::Timer stale_;
  bool contacted_ = false;
  bool was_known_ = false;
  bool has_tried_ = false;
  bool wants_jobs_ = false;
  bool changes_expected_ = true;
  std::string problem_;  // of the last attempt of contact or partitions; empty: none
  std::vector<std::int64_t> node_times_;
  Answered<std::vector<slurm::Partition>> partitions_;
  Answered<std::optional<std::vector<workers::RunningJob>>> jobs_;
};

}  // namespace slurmop::process
