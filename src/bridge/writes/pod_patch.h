// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/role_context.h"
#include "bridge/state/cluster_state.h"
#include "json/value.h"
#include "kube/client/client.h"

#include <memory>
#include <string_view>

namespace bridge::writes {

struct PodPatch {
  kube::PatchType type = kube::PatchType::merge;
  json::Value body;
  std::string_view subresource = {};  // a literal, such as "status"; empty: the pod
};

// Patches the pod and stores the answer in the cluster state, so that the next step does not wait
// for the watch.
net::Task<base::Result<void>> patch_pod(const runtime::RoleContext& context,
                                        state::ClusterState& cluster,
                                        std::shared_ptr<const kube::Pod> pod,
                                        PodPatch patch);

}  // namespace bridge::writes
