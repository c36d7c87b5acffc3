// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client/access.h"
#include "kube/events/events.h"
#include "kube/runner/controller.h"
#include "kube/runner/runner.h"
#include "operator/plan/plan.h"
#include "operator/process/endpoints.h"
#include "operator/process/executor.h"
#include "operator/process/links.h"
#include "operator/process/stores.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace slurmop::process {

using MakePlan = std::function<plan::Plan(const plan::Known&)>;

struct OperatorOptions {
  settle::Defaults defaults = {};
  std::vector<std::string> namespaces = {};  // empty: all
  std::size_t workers = 1;                   // clusters that are handled at the same time
  std::string instance = {};                 // this process, as the source of Events
  std::string user_agent = "slurm-operator";
  MakePlan make_plan = plan::plan;
};

// Keeps every SlurmCluster in its desired state.
//
// Expects     that the API server's client outlives it; add_to() or start(), once.
// Guarantees  at most one pass per cluster at a time. A pass reads the stores, plans and executes; it
//             never waits for a condition. The first pass for a cluster comes after its daemons were
//             asked once, so that a restart of the operator does not report them as unknown. It runs again after a change, after Plan::again, and with
//             back-off after an error. Of a resource that is being deleted only the status is written:
//             its objects are deleted by the garbage collector, because they are owned by it.
class Operator {
 public:
  Operator(const kube::Access& access, OperatorOptions options);
  // With other addresses than Services and pods, for tests and outside of the cluster's network.
  Operator(const kube::Access& access,
           OperatorOptions options,
           std::function<std::unique_ptr<Endpoints>(const Stores&)> make_endpoints);

  // Stores run in every replica, the rest in the leader.
  void add_to(kube::Runner& runner);
  // Runs all parts without a Runner, in tests.
  void start(net::TaskGroup& tasks);

  Stores& stores() { return stores_; }
  const settle::Defaults& defaults() const { return options_.defaults; }
  kube::Controller<>& controller() { return controller_; }
  Links& links() { return links_; }

 private:
  net::Task<base::Result<kube::Requeue>> reconcile(kube::ObjectKey key);
  net::Task<base::Result<kube::Requeue>> run_pass(Stores::ObjectPointer cluster);
  plan::Known known_of(const kube::DynamicObject& cluster, ClusterLink& link);
  base::Result<kube::Requeue> after(const kube::ObjectKey& key,
                                    PassOutcome outcome,
                                    std::optional<std::chrono::seconds> again);
  // Whether they differ from those of the pass before.
  bool note_failures(const kube::ObjectKey& key, std::vector<std::string> failures);
  void forget(const kube::ObjectKey& key);

  kube::Access access_;
  OperatorOptions options_;
  Stores stores_;
  std::unique_ptr<Endpoints> endpoints_;
  kube::Events events_;
  Executor executor_;
  kube::Controller<> controller_;
  Links links_;
  std::map<kube::ObjectKey, std::vector<std::string>> failures_;  // of the last pass
};

}  // namespace slurmop::process
