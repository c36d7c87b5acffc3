// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/agent/configuration.h"

#include <cstdint>
#include <string>

namespace slurmop::agent {

// Where a throw-away slurmctld runs.
struct ThrowAway {
  std::string host;        // name of this machine
  std::uint16_t port = 0;  // a free port
  std::string folder;      // its configuration files
  std::string state;       // its state; an empty folder
  std::string pid_file;
  std::string active_folder;  // the folder of the real configuration
};

// slurm.conf for a slurmctld that only proves that it starts with the configuration.
//
// Guarantees  it considers itself the controller, listens on its own port, uses no file, state or
//             database of the real slurmctld and starts no program. Lines keep their numbers, so
//             that messages fit the original file.
// Does not    check what only slurmdbd knows, such as the QOS of a partition.
std::string throw_away_conf(const Configuration& configuration, const ThrowAway& place);

}  // namespace slurmop::agent
