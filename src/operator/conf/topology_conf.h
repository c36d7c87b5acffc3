// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/file.h"

#include <string>
#include <vector>

namespace slurmop::conf {

struct Switch {
  std::string name;
  std::vector<std::string> switches = {};  // below this one
  std::string nodes = {};                  // a node expression; a leaf switch may have none yet
};

struct TopologyConf {
  std::vector<Switch> switches = {};
};

// Renders topology.conf (topology/tree). Without switches the file has a comment only; the operator
// then leaves TopologyPlugin unset.
base::Result<File> render_topology_conf(const TopologyConf& input);

}  // namespace slurmop::conf
