// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/config/live_settings.h"
#include "bridge/runtime/step_counters.h"
#include "kube/cache/work_queue.h"
#include "kube/client/api.h"
#include "kube/events/events.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"
#include "slurm/client/client.h"

#include <chrono>
#include <functional>
#include <string>

namespace bridge::runtime {

// How long one request to either system may take.
inline constexpr auto kCallTimeout = std::chrono::seconds(15);

// What a role needs to act: clients of both systems, the loop and the configuration.
//
// Expects     everything that is referenced outlives the role.
struct RoleContext {
  net::Loop& loop;
  net::TaskGroup& tasks;
  kube::Client& kube;
  slurm::Client& slurm;
  base::Log log;
  std::string scheduler_name;
  const config::LiveSettings& live;
  // Whether this process is the leader and is not stopping. Call it right before each step.
  std::function<bool()> may_act;
  StepCounters& steps;
  kube::Events& events;

  // Requests for objects of one kind, each within kCallTimeout.
  template <class T>
  kube::Api<T> api() const {
    return kube::Api<T>(loop, kube).within(kCallTimeout);
  }
};

// The object of a step, as a field of a log line.
struct StepObject {
  std::string_view kind;  // "pod", "node"
  std::string name;
};
inline StepObject step_object(const kube::ObjectKey& pod) {
  return {"pod", pod.to_string()};
}

// Counts and logs a failed step, and returns when to try it again. Conflict, not_found and
// cancelled are expected when another client was faster, and are logged at level debug only.
kube::Requeue step_failed(const RoleContext& context,
                          std::string_view step,
                          const StepObject& object,
                          const base::Error& error);

}  // namespace bridge::runtime
