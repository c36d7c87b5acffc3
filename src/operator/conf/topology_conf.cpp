// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/topology_conf.h"

#include "operator/conf/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace slurmop::conf {
namespace {

constexpr KeySpec kKeys[] = {
    {.name = "SwitchName", .form = Form::name},
    {.name = "Switches", .form = Form::names},
    {.name = "Nodes", .form = Form::nodes},
};

}  // namespace

base::Result<File> render_topology_conf(const TopologyConf& input) {
  Draft draft(kKeys);
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  for (const Switch& one : input.switches) {
    std::vector<std::pair<std::string_view, std::string>> pairs = {{"SwitchName", one.name}};
    if (!one.switches.empty()) {
      pairs.emplace_back("Switches", fmt::format("{}", fmt::join(one.switches, ",")));
    }
    if (!one.nodes.empty()) pairs.emplace_back("Nodes", one.nodes);
    draft.set_line(kKeys, pairs);
  }
  return draft.finish("topology.conf");
}

}  // namespace slurmop::conf
