// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_format.h"
#include "base/result.h"
#include "kube/api/label_selector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bridge::config {

// How the nodes of the two systems are synchronised.
struct NodeSettings {
  bool taint = true;  // keep foreign pods off nodes that Slurm manages
  // A node that is drained or down in Slurm is cordoned in Kubernetes.
  bool cordon = true;
  // Recreate an idle registered node that Slurm marks NOT_RESPONDING.
  bool healNotResponding = false;
};

// Settings that flags of the same purpose override.
struct Features {
  bool enableLeaderElection = false;
  bool enableHTTP2 = false;
  bool secureMetrics = false;
};

// The shared configuration file, /etc/slurm-bridge/config.yaml: the reference's keys and some of
// our own. Keys are case-insensitive, as in the reference. config_keys() describes each key.
struct Config {
  std::string schedulerName = "slurm-bridge-scheduler";
  std::string slurmRestApi;
  std::string slurmRestApiCaFile;              // PEM; empty: the system's authorities
  std::vector<std::string> managedNamespaces;  // no effect with a selector
  std::optional<kube::LabelSelector> managedNamespaceSelector;  // empty: every namespace
  // Besides those of Kubernetes and the bridge's own: DaemonSet pods need no Slurm job there.
  std::vector<std::string> daemonSetNamespaces;
  std::string mcsLabel;
  std::string partition;
  NodeSettings nodes;
  std::int32_t holdSeconds = 120;
  base::LogLevel logLevel = base::LogLevel::info;
  Features features;

  // The origin of each value that is not the default: "line 3", "SLURM_REST_API", "--config".
  std::map<std::string, std::string, std::less<>> origins;
  // Unknown keys in the file, each with the nearest known key.
  std::vector<std::string> warnings;
};

// A value that overrides the file: from an environment variable or a flag.
struct ConfigOverride {
  std::string_view path;  // of the key, a literal
  std::string text;
  std::string origin;
};

// Errors name the key, the line and what to write instead.
//
// Guarantees  every value is in its range. Unknown keys are warnings, except inside
//             managedNamespaceSelector: a misspelt key there would select every namespace.
base::Result<Config> parse_config(const std::string& yaml);
// The same with the text of a file and its overrides; later overrides win.
base::Result<Config> parse_config(const std::string& yaml,
                                  std::span<const ConfigOverride> overrides);
base::Result<Config> load_config(const std::string& path,
                                 std::span<const ConfigOverride> overrides = {});

}  // namespace bridge::config
