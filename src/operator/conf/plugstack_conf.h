// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/file.h"

#include <map>
#include <string>
#include <vector>

namespace slurmop::conf {

struct SpankPlugin {
  std::string path;                     // absolute, or a name in Slurm's plugin folder
  bool required = false;                // every job fails if it cannot be loaded
  std::vector<std::string> words = {};  // arguments without a name, in order
  std::map<std::string, std::string> arguments = {};  // name=value, in the order of names
};

struct PlugstackConf {
  std::vector<SpankPlugin> plugins = {};
};

// Renders plugstack.conf; without plugins it has a comment only. Arguments are ordered by name, so
// equal input gives equal bytes.
base::Result<File> render_plugstack_conf(const PlugstackConf& input);

}  // namespace slurmop::conf
