// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "kube/client/access.h"

#include <string>

namespace bridge::process {

// Reads the cluster id: the uid of the namespace kube-system, which distinguishes Kubernetes
// clusters in Slurm and never changes. It is the same for every role (docs/adr/0004).
net::Task<base::Result<std::string>> cluster_id(kube::Access kube, base::Instant deadline);

// Name of the Lease, in the bridge's own namespace, on which the scheduler notes the cluster id for
// roles that may not read kube-system. The reference's permissions let its scheduler read
// namespaces and its controllers read Leases.
inline constexpr const char* kClusterNote = "cluster-id.slinky.slurm.net";

// Writes the cluster id as annotations of the Lease, which is created if it does not exist.
//
// Expects     the permissions get, create, and patch or update on the Lease.
// Guarantees  no write if the Lease already has this id.
net::Task<base::Result<void>> note_cluster_id(kube::Access kube,
                                              kube::ObjectKey note,
                                              std::string id,
                                              base::Instant deadline);

// Reads the cluster id from the Lease.
//
// Errors      not_found: there is no Lease, it has no id, or the id was written on another object,
//             as in a Lease that was restored from another cluster's backup.
net::Task<base::Result<std::string>> noted_cluster_id(kube::Access kube,
                                                      kube::ObjectKey note,
                                                      base::Instant deadline);

// Reads the cluster id from kube-system, or from the Lease if kube-system may not be read.
//
// Errors      forbidden: neither may be read; not_found: kube-system may not be read, and the
//             scheduler has not noted the id yet. Both messages contain what to do.
net::Task<base::Result<std::string>> find_cluster_id(kube::Access kube,
                                                     kube::ObjectKey note,
                                                     base::Instant deadline);

}  // namespace bridge::process
