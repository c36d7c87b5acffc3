// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "net/async/loop.h"
#include "operator/agent/slurm.h"

#include <cstdint>

namespace slurmop::agent {

// Asks the slurmctld at this port of the loopback address: GET /readyz, which it answers without
// authentication.
net::Task<Readiness> ask_readyz(net::Loop& loop, std::uint16_t port, base::Instant deadline);

// A port of the loopback address that nobody uses now. It is below the range from which the kernel
// takes ports of outgoing connections: a request to a port of that range, before slurmctld listens
// there, can connect to itself. Kind::unavailable if none was found.
base::Result<std::uint16_t> free_port(net::Loop& loop);

}  // namespace slurmop::agent
