// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/pod_patch.h"

namespace bridge::writes {

net::Task<base::Result<void>> patch_pod(const runtime::RoleContext& context,
                                        state::ClusterState& cluster,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodPatch patch) {
  auto answer = co_await context.kube.patch(
      kube::object_path(kube::kPods, pod->metadata.key(), patch.subresource),
      patch.type,
      std::move(patch.body),
      context.loop.in(runtime::kCallTimeout));
  if (!answer.ok()) co_return std::move(answer).error();
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(*answer));
  cluster.pods().written(object);
  co_return base::Result<void>();
}

}  // namespace bridge::writes
