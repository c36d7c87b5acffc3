// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/pod.h"
#include "operator/settle/cluster.h"

// The home directories of the users, at /home of login and worker pods.
namespace slurmop::parts {

// Whether spec.home names a volume; otherwise each pod has its own empty /home.
bool has_shared_home(const settle::Cluster& cluster);
json::Object home_volume(const settle::Cluster& cluster);
objects::Mount home_mount();

// The volume with the accounts of the cluster, for every pod in which users are known by name.
json::Object users_volume(const settle::Cluster& cluster);
objects::Mount users_mount();

// The native sidecar `homes`: creates the missing home directories of the accounts in
// /var/lib/extrausers/passwd, also of accounts that are added later.
//
// Guarantees  a directory appears complete, with its owner and mode 0700, or not at all; what exists
//             is never changed, also a link.
json::Object homes_sidecar(const settle::Cluster& cluster);

}  // namespace slurmop::parts
