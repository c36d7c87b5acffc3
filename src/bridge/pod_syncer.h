// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/links.h"
#include "bridge/picture.h"
#include "bridge/pod_sync.h"
#include "kube/work_queue.h"

namespace bridge {

// The pod half of the controllers role: carries out what next_sync_step() decides.
class PodSyncer {
 public:
  // `workers` is how many pods are worked on at once.
  PodSyncer(Links links, Picture& picture, std::size_t workers);

  void start();
  void stop() { queue_.stop(); }
  // One of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }

 private:
  net::Task<kube::Again> reconcile(kube::ObjectKey key);
  net::Task<base::Result<bool>> still_ended(std::shared_ptr<const kube::Pod> pod, slurm::JobId job);
  net::Task<kube::Again> remove(std::shared_ptr<const kube::Pod> pod, Remove step);
  net::Task<kube::Again> release(std::shared_ptr<const kube::Pod> pod, Release step);
  bool is_anothers(slurm::JobId job, const kube::Pod& pod) const;
  kube::Again failed(std::string_view what, const kube::Pod& pod, const base::Error& error);

  Links links_;
  Picture& picture_;
  kube::WorkQueue<kube::ObjectKey> queue_;
};

}  // namespace bridge
