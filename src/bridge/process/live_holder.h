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

// Whether a process holds and renews one of several Leases.
struct LeaseSigns {
  std::string holder = {};  // of a Lease that is renewed; empty: no Lease is renewed
  // Leases that do not exist or that we may not read. They prove nothing: the processes may use
  // Leases with another name or in another namespace.
  std::vector<kube::ObjectKey> missing = {};
};

// Reads each Lease repeatedly until it changes or its lease duration has passed.
//
// Guarantees  the result does not depend on the clocks of other machines: only changes of a Lease
//             count, not the times in it.
// Errors      of a read, other than not_found and forbidden.
net::Task<base::Result<LeaseSigns>> lease_signs(net::Loop& loop,
                                                kube::Client& kube,
                                                std::vector<kube::ObjectKey> leases,
                                                base::Duration call_timeout);

// Why the controllers may still run, and what to do; empty if they do not run.
//
// `signs` is empty if there is no leader election. The operator's statement that the controllers
// are stopped counts only if no Lease is renewed.
enum class OperatorSays { stopped, nothing };
std::string why_they_may_run(const std::optional<LeaseSigns>& signs, OperatorSays operator_says);

}  // namespace bridge::process
