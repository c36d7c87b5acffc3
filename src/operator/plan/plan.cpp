// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/plan.h"

#include "json/pointer.h"
#include "operator/plan/cluster_status.h"
#include "operator/plan/crash_loops.h"
#include "operator/plan/desired_objects.h"
#include "operator/plan/worker_actions.h"

namespace slurmop::plan {
namespace {

bool is_being_deleted(const json::Value& cluster) {
  return json::find(cluster, {"metadata", "deletionTimestamp"}) != nullptr;
}

std::vector<std::string> texts_of(const std::vector<api::FieldError>& errors) {
  std::vector<std::string> texts;
  for (const api::FieldError& error : errors) texts.push_back(error.to_string());
  return texts;
}

Plan invalid(const std::vector<std::string>& errors, const Known& known) {
  Plan plan;
  add_invalid_status(errors, known, plan);
  return plan;
}

}  // namespace

Plan plan(const Known& known) {
  // The garbage collector deletes the objects by their owner references; data volumes stay.
  if (is_being_deleted(known.cluster)) return {};
  const settle::Settled settled =
      settle::settle(known.cluster, known.node_sets, known.recorded, known.defaults);
  if (!settled.cluster) return invalid(texts_of(settled.findings.errors), known);
  const settle::Cluster& cluster = *settled.cluster;
  auto objects = desired_objects(cluster);
  if (!objects.ok()) return invalid({objects.error().message()}, known);

  Plan plan;
  plan.secrets = missing_secrets(cluster, known);
  plan.objects = std::move(objects).value();
  plan.prune = true;
  const std::vector<SetPlan> sets = plan_sets(cluster, known);
  add_worker_steps(cluster, sets, plan);
  add_crash_loop_steps(known, plan);
  add_status(cluster, settled.findings, sets, known, plan);
  return plan;
}

}  // namespace slurmop::plan
