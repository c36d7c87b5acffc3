// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/settle/cluster.h"

#include <cstdint>
#include <string>

// Addresses of the daemons.
namespace slurmop::parts {

// The value of --conf-server: "<host>:<port>" of slurmctld.
std::string conf_server(const settle::Cluster& cluster);

std::int64_t slurmdbd_port(const settle::Cluster& cluster);
std::int64_t database_port(const settle::Cluster& cluster);  // of the cluster's own database
std::int64_t sshd_port(const settle::Cluster& cluster);      // in the login pods

}  // namespace slurmop::parts
