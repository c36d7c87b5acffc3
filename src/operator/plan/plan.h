// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "kube/api/conditions.h"
#include "kube/api/workloads.h"
#include "operator/parts/parts.h"
#include "operator/settle/cluster.h"
#include "operator/status/component.h"
#include "operator/status/config_condition.h"
#include "operator/workers/plan_workers.h"
#include "operator/workers/slurm_view.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

// One decision about a whole cluster: everything that is known of it -> everything to do.
namespace slurmop::plan {

using status::ConfigReport;
using status::Rollout;

// Everything that decides; all of it read, nothing remembered.
struct Known {
  json::Value cluster;                 // the SlurmCluster, as the server sent it
  std::vector<json::Value> node_sets;  // the NodeSets of the cluster, in any order
  settle::Recorded recorded;
  settle::Defaults defaults;
  std::vector<kube::ObservedPod> pods;      // all pods with the cluster's label instance
  std::map<std::string, Rollout> rollouts;  // by kind and name: "StatefulSet/controller"
  std::set<std::string> secrets;            // names of existing Secrets of the namespace
  std::optional<ConfigReport> config;       // empty: the agent does not answer
  // Objects that the latest pass could not write: "Service a/b: forbidden: ...".
  std::vector<std::string> apply_failures;
  workers::SlurmView slurm;
  base::WallTime now;
};

struct EventRecord {
  enum class Level { normal, warning };
  Level level = Level::normal;
  std::string reason;
  std::string message;

  friend bool operator==(const EventRecord&, const EventRecord&) = default;
};

// A worker step with the object that the executor needs.
struct CreateWorker {
  json::Object pod;
  std::vector<json::Object> claims = {};  // created before the pod unless they exist
};
using PodAction = std::variant<CreateWorker, workers::DeletePod>;

struct NodeSetStatusUpdate {
  std::string name;
  json::Object status;
};

// Executed in this order: secrets, objects, Slurm steps, pods, prune, status. Complete: an object of
// the cluster that is not in `objects` is pruned, except Secrets, claims and pods.
struct Plan {
  std::vector<parts::SecretOrder> secrets;  // only those that do not exist
  std::vector<json::Object> objects;
  bool prune = false;  // false while the resource is invalid: nothing is deleted then
  std::vector<workers::SlurmStep> slurm;
  std::vector<PodAction> pods;
  json::Object status;  // of the SlurmCluster
  std::vector<NodeSetStatusUpdate> node_sets;
  std::vector<EventRecord> events;
  bool wants_jobs = false;
  std::optional<std::chrono::seconds> again;
};

// Guarantees  equal facts give an equal plan, whatever the order of lists in `known`. Nothing
//             destructive while Slurm is unknown or the resource is invalid. With unchanged facts
//             after its effect, the next plan changes nothing.
Plan plan(const Known& known);

}  // namespace slurmop::plan
