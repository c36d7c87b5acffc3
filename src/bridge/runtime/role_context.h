// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/config/live_settings.h"
#include "bridge/runtime/step_counters.h"
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

// What a role needs to act: the two systems, the loop and the configuration. All of it outlives the
// role.
struct RoleContext {
  net::Loop& loop;
  net::TaskGroup& tasks;
  kube::Client& kube;
  slurm::Client& slurm;
  base::Log log;
  std::string scheduler_name;
  const config::LiveSettings& live;
  // Whether we lead, asked right before a step is taken.
  std::function<bool()> may_act;
  StepCounters& steps;
  kube::Events& events;

  // Calls for the objects of one kind, each within kCallTimeout.
  template <class T>
  kube::Api<T> api() const {
    return kube::Api<T>(loop, kube).within(kCallTimeout);
  }
};

// Notes that a step for a pod did not succeed, and counts it. Conflicts and the like are the normal
// way to learn that somebody was faster, so those are for debugging only.
void note_failed_step(const RoleContext& context,
                      std::string_view step,
                      const kube::ObjectKey& pod,
                      const base::Error& error);

}  // namespace bridge::runtime
