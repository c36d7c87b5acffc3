// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client.h"

#include <string>

namespace bridge {

// What tells Kubernetes clusters apart in Slurm: the uid of kube-system, which lives as long as the
// cluster.
net::Task<base::Result<std::string>> cluster_id(kube::Client& kube, base::Instant deadline);

}  // namespace bridge
