// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/kube/server.h"

#include <cstdint>
#include <string>
#include <vector>

namespace models::actors {

// Model of the Job controller and of the garbage collector for Jobs: creates pods until enough have
// succeeded, reports progress in the status, and deletes the pods of a deleted Job.
//
// Expects     look() is called after changes, but not from within one: it writes. Both arguments
//             outlive this.
// Guarantees  level-triggered: look() without a change writes nothing. Pods have the labels,
//             annotations and owner that kube-controller-manager sets.
// Does not    protect ended pods with a finalizer (a pod that is deleted before its Job is complete
//             is created again), back off, suspend, or implement deadlines, TTLs and pod failure
//             policies.
class JobController {
 public:
  JobController(kube::KubeServer& server, const base::Clock& clock)
      : server_(server), clock_(clock) {}

  void look();

 private:
  struct Progress {
    std::vector<const json::Value*> active;
    std::vector<std::int64_t> taken;  // completion indexes that need no further pod
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::size_t pods = 0;
  };

  void look_at(const json::Value& job);
  void take_orphans_away();
  Progress progress_of(const json::Value& job) const;
  void clean_up(const json::Value& job, const Progress& progress);
  std::int64_t make_pods(const json::Value& job, const Progress& progress);
  bool make_pod(const json::Value& job, std::int64_t index);
  void write_status(const json::Value& job, const Progress& progress, std::int64_t active);
  void remove(const json::Value& pod);

  kube::KubeServer& server_;
  const base::Clock& clock_;
};

}  // namespace models::actors
