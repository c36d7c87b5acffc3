// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/settle/cluster.h"

namespace slurmop::parts {

// The pods in which users work: sshd with the accounts and keys of the cluster, and the means to
// authenticate in Slurm without reading its key (sackd or munge).
struct LoginPod {
  json::Object spec;
  json::Array claim_templates;  // of the StatefulSet
};
LoginPod login_pod(const settle::Cluster& cluster);

}  // namespace slurmop::parts
