// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/async/task_group.h"
#include "operator/process/cluster_link.h"

#include <functional>
#include <map>
#include <memory>

namespace slurmop::process {

// One ClusterLink for each cluster.
//
// Expects     run() in a task of the leader; everything in `context` outlives it.
// Guarantees  a cluster that was deleted and created again under the same name gets a new link.
class Links {
 public:
  // `changed` is called with the cluster whose Slurm or agent reported something new.
  Links(LinkContext context, std::function<void(const kube::ObjectKey&)> changed)
      : context_(std::move(context)), changed_(std::move(changed)) {}
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  // The link of a cluster, created if there is none. It stays valid while the pointer is held.
  std::shared_ptr<ClusterLink> of(const kube::ObjectMeta& cluster);
  // The cluster no longer exists.
  void remove(const kube::ObjectKey& cluster);
  std::size_t size() const { return links_.size(); }

  // Runs the links until its task is cancelled.
  net::Task<void> run();

 private:
  struct Entry {
    kube::Uid uid;
    std::shared_ptr<ClusterLink> link;
  };

  void start(std::shared_ptr<ClusterLink> link);

  LinkContext context_;
  std::function<void(const kube::ObjectKey&)> changed_;
  std::map<kube::ObjectKey, Entry> links_;
  net::TaskGroup* running_ = nullptr;  // set while run() runs
};

}  // namespace slurmop::process
