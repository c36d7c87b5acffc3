// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "kube/client/access.h"

#include <string>

namespace bridge::process {

// What tells Kubernetes clusters apart in Slurm: the uid of kube-system, which lives as long as the
// cluster. It is the same for every role, whatever that role may read (docs/adr/0004).
net::Task<base::Result<std::string>> cluster_id(kube::Access kube, base::Instant deadline);

// The Lease, in the bridge's own namespace, on which the scheduler notes the id for a role that may
// not read kube-system: the reference's rights let its scheduler read namespaces and its
// controllers Leases.
inline constexpr const char* kClusterNote = "cluster-id.slinky.slurm.net";

// Sees to it that the note says this. Needs create, get, and patch or update on the Lease.
net::Task<base::Result<void>> note_cluster_id(kube::Access kube,
                                              kube::ObjectKey note,
                                              std::string id,
                                              base::Instant deadline);

// What the note says. not_found if there is none yet, or if it was written on another object: a
// copy from another cluster's backup is no note.
net::Task<base::Result<std::string>> noted_cluster_id(kube::Access kube,
                                                      kube::ObjectKey note,
                                                      base::Instant deadline);

// By kube-system, and where that is forbidden by the note. The error says what to do: forbidden if
// neither may be read, not_found if the note is still to come.
net::Task<base::Result<std::string>> find_cluster_id(kube::Access kube,
                                                     kube::ObjectKey note,
                                                     base::Instant deadline);

}  // namespace bridge::process
