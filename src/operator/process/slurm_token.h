// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/config_map.h"
#include "kube/client/access.h"
#include "kube/client/api.h"
#include "operator/process/stores.h"
#include "slurm/client/token.h"

#include <string>

namespace slurmop::process {

// The operator's token for the Slurm of one cluster, minted with the key in the cluster's Secret.
//
// Expects     get on Secrets; stores and API server outlive it.
// Guarantees  the Secret is read when it appears and when it changes, otherwise never. The key is in
//             no message.
class SlurmToken {
 public:
  SlurmToken(const kube::Access& access, const Stores& stores, const kube::ObjectKey& cluster);

  slurm::TokenSource& source() { return source_; }

  // Reads the key if it is new. The error states why there is no token.
  net::Task<base::Result<void>> refresh();

 private:
  kube::Api<kube::Secret> secrets_;
  const Stores& stores_;
  kube::ObjectKey secret_;
  std::string read_version_;  // resourceVersion of the Secret that was read; empty: none
  slurm::TokenSource source_;
};

}  // namespace slurmop::process
