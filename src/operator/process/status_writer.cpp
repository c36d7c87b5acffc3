// SPDX-License-Identifier: Apache-2.0
#include "operator/process/status_writer.h"

#include "kube/client/needs_apply.h"
#include "operator/objects/labels.h"

#include <utility>

namespace slurmop::process {

using base::Kind;
using base::Result;
using kube::DynamicObject;
using kube::ObjectKey;

net::Task<Result<void>> StatusWriter::write_one(kube::Cache<DynamicObject>& cache,
                                                ObjectKey key,
                                                const json::Object& status) {
  const std::string manager(objects::kFieldManager);
  const Stores::ObjectPointer live = cache.find(key);
  if (!live || status.empty()) co_return Result<void>();
  json::Object body{
      {"metadata",
       json::Object{
           {"name", key.name}, {"namespace", key.ns}, {"uid", live->metadata.uid.value()}}},
      {"status", status}};
  if (!kube::needs_apply(live->content, body, manager, "status")) co_return Result<void>();
  const auto api = kube::Api<DynamicObject>(access_, cache.resource()).status();
  auto written = co_await api.apply(std::move(body), {manager, kube::Conflicts::force});
  if (!written.ok() && written.error().is(Kind::not_found)) co_return Result<void>();
  if (!written.ok()) co_return std::move(written).error();
  cache.store().written(std::move(*written));
  co_return Result<void>();
}

net::Task<Result<void>> StatusWriter::write(
    ClusterRef cluster,
    const json::Object& status,
    const std::vector<plan::NodeSetStatusUpdate>& node_sets) {
  for (const plan::NodeSetStatusUpdate& set : node_sets)
    CO_TRY_VOID(co_await write_one(stores_.node_sets(), {cluster.key.ns, set.name}, set.status));
  const Stores::ObjectPointer live = stores_.clusters().find(cluster.key);
  if (!live || live->metadata.uid != cluster.uid) co_return Result<void>();
  co_return co_await write_one(stores_.clusters(), cluster.key, status);
}

}  // namespace slurmop::process
