// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/signal.h"
#include "operator/process/agent_watch.h"
#include "operator/process/slurm_watch.h"

#include <functional>

namespace slurmop::process {

// The connections to the daemons of one cluster.
//
// Expects     everything in `context` outlives it; run() has ended before it is destroyed.
class ClusterLink {
 public:
  // `changed` is called after each change of what Slurm or the agent report.
  ClusterLink(const LinkContext& context,
              const kube::ObjectKey& cluster,
              const std::function<void()>& changed);

  // Until stop(), or until its task is cancelled.
  net::Task<void> run();
  void stop() { over_.notify(); }

  // Whether Slurm and the agent were asked once. After kPatience they count as asked, so that a
  // cluster whose daemons do not answer is not left alone.
  static constexpr base::Duration kPatience = std::chrono::seconds(5);
  bool has_tried() const;

  SlurmWatch& slurm() { return slurm_; }
  const AgentWatch& agent() const { return agent_; }

 private:
  net::Loop& loop_;
  base::Instant created_;
  SlurmWatch slurm_;
  AgentWatch agent_;
  net::Signal over_;
};

}  // namespace slurmop::process
