// SPDX-License-Identifier: Apache-2.0
#include "operator/process/executor.h"

#include "operator/api/generated/slurm_cluster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slurmop::process {
namespace {

using base::Result;
using Level = plan::EventRecord::Level;

// Steps that follow from the state of Slurm.
bool has_steps(const plan::Plan& plan) {
  return !plan.slurm.empty() || std::ranges::any_of(plan.pods, [](const plan::PodAction& action) {
    return std::holds_alternative<workers::DeletePod>(action);
  });
}

bool is_known(const workers::SlurmView& view) {
  return std::holds_alternative<workers::SlurmKnown>(view);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + std::min(names.size(), kMost));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kMost ? ", ..." : "");
}

}  // namespace

Executor::Executor(const kube::Access& access, Stores& stores, kube::Events& events)
    : access_(access),
      events_(events),
      secrets_(access),
      objects_(access, stores),
      pods_(access, stores),
      statuses_(access, stores) {}

net::Task<Result<PassOutcome>> Executor::execute(const Pass& pass, SlurmLink slurm) {
  const plan::Plan& plan = pass.plan;
  PassOutcome outcome;
  CO_TRY_VOID(co_await secrets_.create(plan.secrets, outcome));
  CO_TRY_VOID(co_await objects_.apply(pass.cluster, plan.objects, outcome));
  auto steps = co_await take_steps(pass, slurm, outcome);
  if (!steps.ok()) outcome.failed_step = std::move(steps).error();
  if (plan.prune) CO_TRY_VOID(co_await objects_.prune(pass.cluster, plan.objects, outcome));
  CO_TRY_VOID(co_await statuses_.write(pass.cluster, plan.status, plan.node_sets));
  for (const plan::EventRecord& event : plan.events) record(pass.cluster, event);
  co_return outcome;
}

net::Task<Result<void>> Executor::take_steps(const Pass& pass,
                                             const SlurmLink& slurm,
                                             PassOutcome& outcome) {
  std::optional<NodesBeforeSteps> nodes;
  const bool needs_slurm =
      !pass.plan.slurm.empty() || (has_steps(pass.plan) && is_known(pass.slurm));
  if (needs_slurm) {
    CO_TRY(nodes, co_await read_again(access_.loop, slurm.client, pass.slurm));
    for (const workers::SlurmStep& step : pass.plan.slurm)
      access_.log.info("step in Slurm",
                       {{"cluster", pass.cluster.key.to_string()}, {"step", describe(step)}});
    const auto done = co_await execute_steps(access_.loop, slurm.client, pass.plan.slurm, *nodes);
    if (!pass.plan.slurm.empty()) slurm.changed();
    CO_TRY_VOID(done);
  }
  CO_TRY(const PodReport report,
         co_await pods_.execute(pass.cluster, pass.plan.pods, nodes ? &*nodes : nullptr, outcome));
  if (!report.deleted.empty()) slurm.changed();
  outcome.is_complete = report.is_complete;
  record_pods(pass.cluster, report);
  co_return Result<void>();
}

void Executor::record_pods(const ClusterRef& cluster, const PodReport& report) {
  if (!report.created.empty())
    record(cluster,
           {Level::normal,
            "PodsCreated",
            fmt::format(
                "created {} worker pods: {}", report.created.size(), some_of(report.created))});
  for (const workers::DeletePod& step : report.deleted)
    record(cluster,
           {Level::normal,
            "PodDeleted",
            fmt::format("deleted pod {}: {}", step.pod.name, step.reason)});
}

void Executor::record(const ClusterRef& cluster, plan::EventRecord event) {
  static const std::string kApiVersion = api::kSlurmClusters.api_version();
  access_.log.info(
      "event",
      {{"cluster", cluster.key.to_string()}, {"reason", event.reason}, {"message", event.message}});
  events_.record({{api::kSlurmClusters.kind, cluster.key, cluster.uid, kApiVersion},
                  event.level == Level::warning ? kube::Severity::warning : kube::Severity::normal,
                  std::move(event.reason),
                  std::move(event.message)});
}

}  // namespace slurmop::process
