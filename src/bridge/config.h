// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace bridge {

// The shared configuration file, /etc/slurm-bridge/config.yaml: the same keys as the reference's,
// matched without regard to case as there.
struct Config {
  std::string schedulerName = "slurm-bridge-scheduler";
  std::string slurmRestApi;
  std::vector<std::string> managedNamespaces;
  std::string mcsLabel;
  std::string partition;

  // Keys in the file that mean nothing to us, each with the nearest one that would.
  std::vector<std::string> warnings;
};

base::Result<Config> parse_config(const std::string& yaml);
base::Result<Config> load_config(const std::string& path);

}  // namespace bridge
