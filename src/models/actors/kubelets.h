// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "models/actors/agenda.h"
#include "models/kube/server.h"

#include <functional>
#include <set>
#include <string>

namespace models::actors {

struct KubeletOptions {
  // The duration of an action varies between these two.
  std::function<base::Duration(base::Duration least, base::Duration most)> some_time;
  // Also write what kubectl shows of a pod besides its phase: containers and conditions.
  bool tells_containers = false;
};

// Model of the kubelets of all nodes: start the pods that are bound to them and end them after
// their run time (the annotation slurm-bridge.dev/run-seconds) or when they are deleted. A pod
// whose name contains "fail" fails.
//
// Expects     look_at() is called for every changed pod; the agenda is run. All arguments outlive
//             this.
// Guarantees  writes only from the agenda, never within look_at().
class Kubelets {
 public:
  Kubelets(Agenda& agenda, kube::KubeServer& server, KubeletOptions options)
      : agenda_(agenda), server_(server), options_(std::move(options)) {}

  // Level-triggered: examines the pod and plans its next action.
  void look_at(const std::string& ns, const std::string& name);

  // A node with a dead kubelet does nothing for its pods.
  void die(const std::string& node) { dead_.insert(node); }
  void come_back(const std::string& node);
  bool dead(const std::string& node) const { return dead_.contains(node); }

 private:
  // The fields of a pod that a kubelet uses.
  struct Pod {
    explicit Pod(const json::Value& from);

    bool ended() const { return phase == "Succeeded" || phase == "Failed"; }

    const json::Value& object;
    std::string ns;
    std::string name;
    std::string uid;
    std::string node;
    std::string phase;
    bool deleting = false;
  };

  void start(const Pod& pod);
  void end_in_time(const Pod& pod);
  void take_away(const Pod& pod);
  // Calls `what` with the current pod, if it is still the same pod and its node is alive.
  void later(base::Duration delay, const Pod& pod, std::function<void(const Pod&)> what);
  void set_phase(const Pod& pod, const std::string& phase);

  Agenda& agenda_;
  kube::KubeServer& server_;
  KubeletOptions options_;
  std::set<std::string> dead_;
  std::set<std::string> planned_;  // uid + action, so that no action is planned twice
};

}  // namespace models::actors
