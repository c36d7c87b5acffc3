// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/cluster_status.h"

#include "json/pointer.h"
#include "operator/objects/labels.h"
#include "operator/plan/cluster_facts.h"
#include "operator/plan/node_set_status.h"
#include "operator/status/slurm_ready.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace slurmop::plan {
namespace {

constexpr std::size_t kMostNamed = 10;

std::string listed(const std::vector<std::string>& texts, std::string_view separator) {
  const std::size_t shown = std::min(texts.size(), kMostNamed);
  std::string text = fmt::format("{}", fmt::join(texts.begin(), texts.begin() + shown, separator));
  if (shown < texts.size()) text += fmt::format("{}and {} more", separator, texts.size() - shown);
  return text;
}

std::int64_t generation_of(const json::Value& object) {
  const json::Value* generation = json::find(object, {"metadata", "generation"});
  return generation != nullptr && generation->as_int() != nullptr ? *generation->as_int() : 0;
}

std::optional<Rollout> rollout_of(const Known& known, const std::string& object) {
  const auto found = known.rollouts.find(object);
  return found == known.rollouts.end() ? std::nullopt : std::optional(found->second);
}

// Collects conditions and writes them over the recorded ones.
class ConditionList {
 public:
  explicit ConditionList(const Known& known)
      : known_(known),
        generation_(generation_of(known.cluster)),
        conditions_(kube::read_conditions(known.cluster)) {}

  void set(kube::Condition condition) {
    condition.observedGeneration = generation_;
    kube::set_condition(conditions_, std::move(condition), known_.now);
  }
  std::string status_of(std::string_view type) const {
    const kube::Condition* found = kube::find_condition(conditions_, type);
    return found == nullptr ? "Unknown" : found->status;
  }
  std::string reason_of(std::string_view type) const {
    const kube::Condition* found = kube::find_condition(conditions_, type);
    return found == nullptr ? "" : found->reason;
  }
  std::int64_t generation() const { return generation_; }
  json::Array encoded() const { return kube::encode_conditions(conditions_); }

 private:
  const Known& known_;
  std::int64_t generation_;
  kube::Conditions conditions_;
};

kube::Condition component(const Known& known,
                          std::string condition,
                          std::string object,
                          std::string_view label) {
  status::Component observed{std::move(condition), std::move(object), {}, pods_of(known, label)};
  observed.rollout = rollout_of(known, observed.object);
  return status::condition_of(observed);
}

kube::Condition accounting(const settle::Cluster& cluster, const Known& known) {
  constexpr const char* kType = "AccountingAvailable";
  if (!cluster.has_accounting())
    return status::disabled(kType, "spec.slurmNodes.accounting.enabled");
  kube::Condition daemon =
      component(known, kType, "Deployment/" + cluster.names.accounting(), "accounting");
  if (daemon.status == "True" || !cluster.has_own_database()) return daemon;
  kube::Condition database =
      component(known, kType, "StatefulSet/" + cluster.names.database(), "accounting-db");
  return database.status == "True" ? daemon : database;
}

kube::Condition workers_condition(const std::vector<SetPlan>& sets) {
  std::int64_t desired = 0;
  std::int64_t ready = 0;
  std::vector<std::string> waits;
  for (const SetPlan& of_set : sets) {
    desired += of_set.set.spec.replicas;
    ready += of_set.workers.ready;
    waits.insert(waits.end(), of_set.workers.waits.begin(), of_set.workers.waits.end());
  }
  const bool all = ready >= desired;
  kube::Condition condition{"WorkersAvailable",
                            all ? "True" : "False",
                            all ? "Available" : "NotAvailable",
                            fmt::format("Slurm can use {} of {} workers", ready, desired)};
  if (!waits.empty()) condition.message += "; " + listed(waits, "; ");
  return condition;
}

kube::Condition update_condition(const std::vector<SetPlan>& sets) {
  std::int64_t outdated = 0;
  for (const SetPlan& of_set : sets) outdated += of_set.workers.outdated;
  if (outdated == 0)
    return {"UpdatePending", "False", "UpToDate", "all workers follow the resource"};
  return {
      "UpdatePending",
      "True",
      "WorkersOutdated",
      fmt::format("{} workers run an older template; a running worker is not restarted. Drain a "
                  "worker in Slurm and delete its pod to update it",
                  outdated)};
}

kube::Condition home_condition(const settle::Cluster& cluster) {
  if (cluster.spec().home)
    return {"HomeShared", "True", "SharedVolume", "login and worker pods share /home"};
  return {"HomeShared",
          "False",
          "NoVolume",
          "spec.home is absent: every pod has its own /home, which ends with the pod"};
}

kube::Condition accepted_condition(const std::vector<std::string>& fields) {
  if (fields.empty())
    return {"FieldsWithoutEffect", "False", "None", "every field of the resource has an effect"};
  return {"FieldsWithoutEffect",
          "True",
          "Accepted",
          "these fields are accepted and have no effect: " + listed(fields, ", ")};
}

kube::Condition applied_condition(const std::vector<std::string>& failures) {
  if (failures.empty())
    return {"CommonAvailable", "True", "Available", "all objects of the cluster are applied"};
  return {"CommonAvailable", "False", "ApplyFailed", listed(failures, "; ")};
}

// A disabled component counts as available. Unknown keeps the recorded phase.
std::string phase_of(const ConditionList& conditions, const json::Value& cluster) {
  constexpr std::string_view kRequired[] = {
      "Ready", "ControllersAvailable", "LoginAvailable", "AccountingAvailable", "CommonAvailable"};
  bool unknown = false;
  for (const std::string_view type : kRequired) {
    const std::string status = conditions.status_of(type);
    unknown = unknown || status == "Unknown";
    if (status == "False" && conditions.reason_of(type) != "Disabled")
      return std::string(was_never_available(cluster) ? kPending : kNotAvailable);
  }
  if (!unknown) return std::string(kAvailable);
  const std::string recorded = recorded_phase(cluster);
  return recorded.empty() ? std::string(kPending) : recorded;
}

std::string worker_selector(const settle::Cluster& cluster) {
  for (const settle::WorkerSet& set : cluster.worker_sets) {
    if (!set.is_node_set)
      return fmt::format("{}={},{}={}",
                         objects::kInstance,
                         cluster.names.cluster(),
                         objects::kNodeSetLabel,
                         set.name);
  }
  return {};
}

void add_phase_event(const std::string& before, const std::string& after, Plan& plan) {
  if (before == after) return;
  if (after == kAvailable) {
    plan.events.push_back({EventRecord::Level::normal, "Available", "Slurm can run jobs"});
  } else if (before == kAvailable) {
    plan.events.push_back({EventRecord::Level::warning,
                           "NotAvailable",
                           "a component is not available; see the conditions of the resource"});
  }
}

std::int64_t ready_login(const settle::Cluster& cluster, const Known& known) {
  const auto rollout = rollout_of(known, "StatefulSet/" + cluster.names.login());
  return rollout ? rollout->ready : 0;
}

void add_rejected_event(const ConditionList& before, const ConditionList& after, Plan& plan) {
  if (after.reason_of("ConfigurationActive") != "Rejected" ||
      before.reason_of("ConfigurationActive") == "Rejected") {
    return;
  }
  plan.events.push_back({EventRecord::Level::warning,
                         "ConfigurationRejected",
                         "Slurm rejected the new configuration; see the condition "
                         "ConfigurationActive"});
}

void set_conditions(const settle::Cluster& cluster,
                    const api::Findings& findings,
                    const std::vector<SetPlan>& sets,
                    ConditionList& conditions,
                    const Known& known) {
  std::int64_t desired_workers = 0;
  for (const SetPlan& of_set : sets) desired_workers += of_set.set.spec.replicas;
  conditions.set({"Valid", "True", "Valid", "all fields are valid"});
  conditions.set(accepted_condition(findings.accepted));
  conditions.set(applied_condition(known.apply_failures));
  conditions.set(component(
      known, "ControllersAvailable", "StatefulSet/" + cluster.names.controller(), "controller"));
  if (const auto files = parts::slurm_files(cluster); files.ok())
    conditions.set(status::config_condition(files->hash, known.config));
  conditions.set(component(known, "RestAvailable", "Deployment/" + cluster.names.rest(), "rest"));
  conditions.set(accounting(cluster, known));
  conditions.set(
      component(known, "LoginAvailable", "StatefulSet/" + cluster.names.login(), "login"));
  conditions.set(workers_condition(sets));
  conditions.set(update_condition(sets));
  conditions.set(home_condition(cluster));
  conditions.set(status::ready_condition(known.slurm, desired_workers));
}

json::Object recorded_status(const json::Value& cluster) {
  const json::Value* status = cluster.find("status");
  return status != nullptr && status->as_object() != nullptr ? *status->as_object()
                                                             : json::Object{};
}

}  // namespace

void add_status(const settle::Cluster& cluster,
                const api::Findings& findings,
                const std::vector<SetPlan>& sets,
                const Known& known,
                Plan& plan) {
  const ConditionList before(known);
  ConditionList conditions(known);
  set_conditions(cluster, findings, sets, conditions, known);
  const std::string phase = phase_of(conditions, known.cluster);
  add_phase_event(recorded_phase(known.cluster), phase, plan);
  add_rejected_event(before, conditions, plan);

  std::int64_t workers = 0;
  std::int64_t ready = 0;
  for (const SetPlan& of_set : sets) {
    ready += of_set.workers.ready;
    if (!of_set.set.is_node_set) workers += of_set.workers.existing;
  }
  plan.status = json::Object{{"conditions", conditions.encoded()},
                             {"naming", std::string(settle::to_string(cluster.names.naming()))},
                             {"observedGeneration", conditions.generation()},
                             {"phase", phase},
                             {"readyLogin", ready_login(cluster, known)},
                             {"readyWorkers", ready},
                             {"workers", workers}};
  if (const std::string selector = worker_selector(cluster); !selector.empty())
    plan.status.set("labelSelector", selector);
  for (const SetPlan& of_set : sets) {
    if (of_set.set.is_node_set) add_node_set_status(cluster, of_set, known, plan);
  }
  constexpr auto kLookAgain = std::chrono::seconds(10);
  if (phase != kAvailable) plan.again = std::min(plan.again.value_or(kLookAgain), kLookAgain);
}

void add_invalid_status(const std::vector<std::string>& errors, const Known& known, Plan& plan) {
  ConditionList conditions(known);
  conditions.set({"Valid",
                  "False",
                  "Invalid",
                  listed(errors, "; ") + ". The running cluster is not changed until this is "
                                         "corrected"});
  plan.status = recorded_status(known.cluster);
  plan.status.set("conditions", conditions.encoded());
  plan.status.set("observedGeneration", conditions.generation());
  if (recorded_phase(known.cluster).empty()) plan.status.set("phase", std::string(kPending));
}

}  // namespace slurmop::plan
