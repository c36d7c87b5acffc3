// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/file.h"

#include <map>
#include <string>

namespace slurmop::parts {

// Annotations of a pod template whose daemon reads the file at start only: a change of the file
// replaces the pods.
inline std::map<std::string, std::string> config_annotation(const conf::File& file) {
  return {{"slurm.nebius.ai/config-hash", file.hash()}};
}

}  // namespace slurmop::parts
