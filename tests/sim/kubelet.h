// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agenda.h"
#include "chance.h"
#include "models/kube_server.h"
#include "truth.h"

#include <set>
#include <string>

namespace sim {

// The kubelets of all nodes: start the pods that are bound to them, end them after their time (the
// annotation slurm-bridge.dev/run-seconds) or when they are deleted. One whose name has "fail" in it
// or whose annotation slurm-bridge.dev/exit is "failed" fails.
class Kubelets {
 public:
  Kubelets(Agenda& agenda, Chance& chance, models::KubeServer& server)
      : agenda_(agenda), chance_(chance), server_(server) {}

  // Level-triggered: looks at the pod and plans what comes next.
  void look_at(const std::string& ns, const std::string& name);

  // A node whose kubelet is dead does nothing for its pods.
  void die(const std::string& node) { dead_.insert(node); }
  void come_back(const std::string& node);
  bool dead(const std::string& node) const { return dead_.contains(node); }

 private:
  void start(const PodTruth& pod);
  void finish(const PodTruth& pod, const std::string& phase);
  void take_away(const PodTruth& pod);
  // Calls `what` with the pod as it is then, if it is still the same one and its node lives.
  void later(base::Duration delay, const PodTruth& pod, std::function<void(const PodTruth&)> what);
  void set_phase(const PodTruth& pod, const std::string& phase);

  Agenda& agenda_;
  Chance& chance_;
  models::KubeServer& server_;
  std::set<std::string> dead_;
  std::set<std::string> planned_;  // uid + what, so that nothing is planned twice
};

}  // namespace sim
