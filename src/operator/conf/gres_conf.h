// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::conf {

// One line of gres.conf: devices of the named nodes, or of all nodes.
struct GresLine {
  std::string nodes = {};  // a node expression; empty: all nodes
  std::string name;        // gpu
  std::string type = {};   // a100
  std::string file = {};   // /dev/nvidia[0-7]
  std::optional<std::uint32_t> count = {};
  std::string cores = {};               // 0-15
  std::vector<std::string> flags = {};  // CountOnly
};

struct GresConf {
  std::string auto_detect = {};  // nvidia, nvml, ...; empty: no detection
  std::vector<GresLine> lines = {};
};

// Renders gres.conf. Dynamic nodes announce their Gres when they register; the lines here tell slurmd
// which devices these are. Empty input gives a file with a comment only, which Slurm accepts.
base::Result<File> render_gres_conf(const GresConf& input);

}  // namespace slurmop::conf
