// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/links.h"
#include "bridge/picture.h"
#include "bridge/pod_sync.h"
#include "kube/work_queue.h"

#include <map>
#include <optional>
#include <set>

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

  // Running pods whose job Slurm does not know, without proof that it ended: they are left alone.
  std::size_t in_doubt() const { return in_doubt_.size(); }

 private:
  // What this process noticed of a pod; all of it is noticed again by the next one.
  struct Memory {
    Memory() = default;
    explicit Memory(kube::Uid of) : uid(std::move(of)) {}

    kube::Uid uid;
    std::optional<base::Instant> waiting_since;  // its job, although the pod is bound
    std::optional<base::Instant> accounting_asked;
    std::optional<JobEnded> accounted;
    bool doubt_told = false;
  };

  net::Task<kube::Again> reconcile(kube::ObjectKey key);
  SyncFacts facts_of(const kube::Pod& pod, Memory& memory);
  net::Task<kube::Again> keep(std::shared_ptr<const kube::Pod> pod, const SyncFacts& facts);
  // Asks accounting about a job that Slurm has forgotten, now and then. True if that was news.
  net::Task<bool> ask_accounting(std::shared_ptr<const kube::Pod> pod, slurm::JobId job);
  net::Task<base::Result<bool>> still_so(std::shared_ptr<const kube::Pod> pod, JobEnded because);
  net::Task<kube::Again> remove(std::shared_ptr<const kube::Pod> pod, Remove step);
  net::Task<base::Result<std::shared_ptr<const kube::Pod>>> mark_disrupted(
      std::shared_ptr<const kube::Pod> pod, JobEnded because);
  // False where we may not: said once, and not tried again for a while.
  net::Task<base::Result<bool>> show(std::shared_ptr<const kube::Pod> pod, json::Object patch);
  net::Task<kube::Again> release(std::shared_ptr<const kube::Pod> pod, Release step);
  bool is_anothers(slurm::JobId job, const kube::Pod& pod) const;
  kube::Again failed(std::string_view what, const kube::Pod& pod, const base::Error& error);

  Links links_;
  Picture& picture_;
  kube::WorkQueue<kube::ObjectKey> queue_;
  std::map<kube::ObjectKey, Memory> memory_;
  std::set<kube::ObjectKey> in_doubt_;
  base::Instant status_forbidden_until_ = base::Instant::min();
};

}  // namespace bridge
