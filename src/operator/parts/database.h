// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/parts/parts.h"

namespace slurmop::parts {

// The cluster's own MariaDB: a StatefulSet with one pod and one claim, and its Service.
//
// Guarantees  the data survives a kill at any moment, also during the first start; root connects by
//             the socket in the pod only; the account `slurm` has the password of the Secret as of
//             the start of the pod.
Objects database(const Cluster& cluster);

// The volume `database-password` with the file `password`, for MariaDB and for slurmdbd.
json::Object password_volume(const Cluster& cluster);
inline constexpr std::string_view kPasswordFolder = "/secrets/database-password";

}  // namespace slurmop::parts
