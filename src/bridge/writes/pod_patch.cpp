// SPDX-License-Identifier: Apache-2.0
#include "bridge/writes/pod_patch.h"

#include <string>
#include <utility>

namespace bridge::writes {

net::Task<base::Result<void>> patch_pod(const runtime::RoleContext& context,
                                        state::ClusterState& cluster,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodPatch patch) {
  const auto pods = context.api<kube::Pod>().subresource(std::string(patch.subresource));
  CO_TRY(kube::Pod now,
         co_await pods.patch(pod->metadata.key(), patch.type, std::move(patch.body)));
  cluster.pods().written(std::move(now));
  co_return base::Result<void>();
}

}  // namespace bridge::writes
