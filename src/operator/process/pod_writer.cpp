// SPDX-License-Identifier: Apache-2.0
#include "operator/process/pod_writer.h"

#include "operator/objects/labels.h"

#include <utility>

namespace slurmop::process {
namespace {

using base::Kind;
using base::Result;

}  // namespace

bool is_worker(const kube::ObjectMeta& pod) {
  const std::string& component = pod.label(std::string(objects::kComponent));
  return component == "worker" || component == "nodeset";
}

PodWriter::PodWriter(const kube::Access& access, Stores& stores)
    : stores_(stores),
      api_(access),
      claims_(access, kube::kClaims),
      expected_(access.loop, stores.pods().store()) {}

net::Task<Result<void>> PodWriter::create_claims(const std::vector<json::Object>& claims) {
  for (const json::Object& claim : claims) {
    const kube::ObjectKey key = kube::key_of_object(claim);
    if (stores_.find(kube::kClaims, key)) continue;
    const auto created = co_await claims_.create(claim, {std::string(objects::kFieldManager)});
    if (!created.ok() && !created.error().is(Kind::conflict)) co_return created.error();
  }
  co_return Result<void>();
}

// A pod of that name that exists already is left to the next plan.
net::Task<Result<void>> PodWriter::create(const ClusterRef& cluster,
                                          const plan::CreateWorker& worker,
                                          PodReport& report) {
  CO_TRY_VOID(co_await create_claims(worker.claims));
  const auto created = co_await api_.create(worker.pod, {std::string(objects::kFieldManager)});
  if (!created.ok() && created.error().is(Kind::conflict)) co_return Result<void>();
  if (!created.ok()) co_return created.error();
  expected_.created(cluster.key, created->metadata);
  report.created.push_back(created->metadata.name);
  co_return Result<void>();
}

net::Task<Result<void>> PodWriter::remove(const workers::DeletePod& step,
                                          const NodesBeforeSteps* nodes,
                                          PodReport& report) {
  const auto pod = stores_.pods().find(step.pod);
  if (nodes != nullptr && pod && is_worker(pod->metadata))
    CO_TRY_VOID(check_unchanged(step.pod.name, *nodes));
  kube::DeleteOptions options;
  options.uid = step.uid;
  options.resource_version = step.resource_version;
  auto removed = co_await api_.remove(step.pod, options);
  if (!removed.ok() && removed.error().is(Kind::not_found)) co_return Result<void>();
  if (!removed.ok()) co_return std::move(removed).error();
  report.deleted.push_back(step);
  if (*removed) stores_.pods().store().written(std::move(**removed));  // it has a grace period
  co_return Result<void>();
}

net::Task<Result<PodReport>> PodWriter::execute(ClusterRef cluster,
                                                const std::vector<plan::PodAction>& actions,
                                                const NodesBeforeSteps* nodes,
                                                PassOutcome& outcome) {
  PodReport report;
  const bool waits = expected_.pending(cluster.key);
  for (const plan::PodAction& action : actions) {
    const auto* wanted = std::get_if<plan::CreateWorker>(&action);
    if (waits || (wanted != nullptr && report.created.size() >= kMostCreates)) {
      report.is_complete = false;
      break;
    }
    const auto done = wanted != nullptr
                          ? co_await create(cluster, *wanted, report)
                          : co_await remove(std::get<workers::DeletePod>(action), nodes, report);
    if (done.ok()) continue;
    if (!is_rejection(done.error())) co_return done.error();
    outcome.failures.push_back(done.error().message());
    break;  // the others would be rejected for the same reason
  }
  co_return report;
}

}  // namespace slurmop::process
