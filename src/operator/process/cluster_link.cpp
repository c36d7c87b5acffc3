// SPDX-License-Identifier: Apache-2.0
#include "operator/process/cluster_link.h"

#include "net/async/task_group.h"

namespace slurmop::process {

ClusterLink::ClusterLink(const LinkContext& context,
                         const kube::ObjectKey& cluster,
                         const std::function<void()>& changed)
    : loop_(context.access.loop),
      created_(loop_.now()),
      slurm_(context, cluster),
      agent_(context, cluster),
      over_(loop_) {
  slurm_.on_change(changed);
  agent_.on_change(changed);
}

bool ClusterLink::has_tried() const {
  return (slurm_.has_tried() && agent_.has_tried()) || loop_.now() - created_ >= kPatience;
}

net::Task<void> ClusterLink::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("slurm", slurm_.run());
  tasks.spawn("agent", agent_.run());
  (void)co_await over_.wait();
  tasks.cancel();
  co_await tasks.join();
}

}  // namespace slurmop::process
