// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod_resources.h"

namespace workload {

inline base::Result<kube::ResourceList> pod_requests(const kube::Pod& pod) {
  return kube::pod_requests(pod.spec);
}

inline base::Result<kube::ResourceList> pod_limits(const kube::Pod& pod) {
  return kube::pod_limits(pod.spec);
}

}  // namespace workload
