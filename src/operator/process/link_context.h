// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/client/access.h"
#include "operator/process/endpoints.h"
#include "operator/process/stores.h"

namespace slurmop::process {

// What a connection to the daemons of a cluster needs. Everything outlives the connection.
struct LinkContext {
  kube::Access access;
  const Stores& stores;
  Endpoints& endpoints;
};

}  // namespace slurmop::process
