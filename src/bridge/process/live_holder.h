// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/api/ids.h"
#include "kube/client/client.h"
#include "net/async/loop.h"

#include <optional>
#include <string>
#include <vector>

namespace bridge::process {

// Whether somebody acts under a Lease, as far as the Leases tell.
struct LeaseSigns {
  std::string holder = {};  // holds one of them and renews it; empty if nobody does
  // There are no such Leases, or none that we may read: that proves nothing, the right ones may
  // have another name or namespace.
  std::vector<kube::ObjectKey> missing = {};
};

// Asks until each silent holder's time is over. Clocks play no part.
net::Task<base::Result<LeaseSigns>> lease_signs(net::Loop& loop,
                                                kube::Client& kube,
                                                std::vector<kube::ObjectKey> leases,
                                                base::Duration call_timeout);

// Why the controllers may still run, with what to do, for who wants them stopped; empty if they do
// not. Without signs there is no leader election. Somebody's word counts only where no Lease can
// tell.
enum class OperatorSays { stopped, nothing };
std::string why_they_may_run(const std::optional<LeaseSigns>& signs, OperatorSays operator_says);

}  // namespace bridge::process
