// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/node_conf.h"

#include "base/ascii.h"
#include "base/integer.h"
#include "models/slurm/gres.h"
#include "models/slurm/hosts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>

namespace models::slurm {
namespace {

const std::set<std::string_view> kOptions{
    "BcastAddr",    "Boards",         "CoreSpecCount", "CoresPerSocket", "CPUs",
    "CPUSpecList",  "Feature",        "Features",      "Gres",           "GresConf",
    "MemSpecLimit", "NodeAddr",       "NodeHostname",  "NodeName",       "Port",
    "Procs",        "RealMemory",     "Reason",        "Sockets",        "SocketsPerBoard",
    "State",        "ThreadsPerCore", "TmpDisk",       "Topology",       "Weight"};

// KEY=value pairs; a value in double quotes may contain spaces. Empty if one is malformed.
std::optional<std::map<std::string, std::string>> pairs(std::string_view conf) {
  std::map<std::string, std::string> found;
  while (!conf.empty()) {
    if (conf.front() == ' ') {
      conf.remove_prefix(1);
      continue;
    }
    const std::size_t equals = conf.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string key(conf.substr(0, equals));
    if (!kOptions.contains(key)) return std::nullopt;
    conf.remove_prefix(equals + 1);
    const bool quoted = conf.starts_with('"');
    if (quoted) conf.remove_prefix(1);
    const std::size_t end = std::min(conf.find(quoted ? '"' : ' '), conf.size());
    found[key] = conf.substr(0, end);
    conf.remove_prefix(std::min(end + 1, conf.size()));
  }
  return found;
}

template <class T>
void set_number(T& into, const std::map<std::string, std::string>& options, const char* key) {
  const auto found = options.find(key);
  if (found == options.end()) return;
  const auto number = base::parse_integer<T>(found->second);
  if (number.ok()) into = *number;
}

}  // namespace

std::variant<std::vector<SlurmNode>, int> read_node_conf(std::string_view conf) {
  const auto options = pairs(conf);
  if (!options || !options->contains("NodeName")) return -1;
  const auto text = [&](const char* key) {
    const auto found = options->find(key);
    return found == options->end() ? std::string() : found->second;
  };
  const auto names = expand_hostlist(text("NodeName"));
  if (!names.ok() || names->empty()) return -1;
  if (base::ascii_lower(text("State")) != "external") return 2028;
  if (options->contains("Gres") && !options->contains("GresConf")) return 22;
  if (!text("Topology").empty()) return 2178;  // there is no topology.yaml
  SlurmNode node;
  node.dynamic = true;
  node.cpus = 1;
  node.memory_mb = 1;
  set_number(node.cpus, *options, "CPUs");
  set_number(node.memory_mb, *options, "RealMemory");
  set_number(node.sockets, *options, "Sockets");
  if (node.sockets == 0 || node.cpus % node.sockets != 0) node.sockets = 1;
  node.gres = read_node_gres(text("Gres"));
  const std::string features = text("Feature") + text("Features");
  for (const auto part : std::views::split(std::string_view(features), ',')) {
    if (!std::string_view(part).empty()) node.features.emplace(std::string_view(part));
  }
  std::vector<SlurmNode> created;
  for (const std::string& name : *names) {
    node.name = name;
    created.push_back(node);
  }
  return created;
}

}  // namespace models::slurm
