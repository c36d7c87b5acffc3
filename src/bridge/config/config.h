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

// How the nodes of the two systems follow each other.
struct NodeSettings {
  bool taint = true;               // keep pods that are not ours off nodes that Slurm manages
  bool cordon = true;              // drained or down in Slurm means cordoned in Kubernetes
  bool healNotResponding = false;  // make an idle node of ours anew that Slurm lost sight of
};

// What flags of the same purpose say too, and then with more weight.
struct Features {
  bool enableLeaderElection = false;
  bool enableHTTP2 = false;
  bool secureMetrics = false;
};

// The shared configuration file, /etc/slurm-bridge/config.yaml: the reference's keys and some of
// our own, matched without regard to case as there. config_keys() says what each of them means.
struct Config {
  std::string schedulerName = "slurm-bridge-scheduler";
  std::string slurmRestApi;
  std::string slurmRestApiCaFile;              // PEM; empty: the system's authorities
  std::vector<std::string> managedNamespaces;  // means nothing where there is a selector
  std::optional<kube::LabelSelector> managedNamespaceSelector;  // empty: every namespace
  // Beside those of Kubernetes and the bridge's own: DaemonSet pods need no Slurm job there.
  std::vector<std::string> daemonSetNamespaces;
  std::string mcsLabel;
  std::string partition;
  NodeSettings nodes;
  std::int32_t holdSeconds = 120;
  base::LogLevel logLevel = base::LogLevel::info;
  Features features;

  // Who said so, for each key that is not at its default: "line 3", "SLURM_REST_API", "--config".
  std::map<std::string, std::string, std::less<>> origins;
  // Keys in the file that mean nothing to us, each with the nearest one that would.
  std::vector<std::string> warnings;
};

// A value that counts more than the file's: of an environment variable or a flag.
struct ConfigOverride {
  std::string_view path;  // of the key, a literal
  std::string text;
  std::string origin;
};

// Errors name the key, the line and what to write instead.
//
// Guarantees  every value is in its range. Keys that do not exist are warnings, except inside
//             managedNamespaceSelector: a misspelt one there would select every namespace.
base::Result<Config> parse_config(const std::string& yaml);
// The same with a file's text and what overrides it, the later the stronger.
base::Result<Config> parse_config(const std::string& yaml,
                                  std::span<const ConfigOverride> overrides);
base::Result<Config> load_config(const std::string& path,
                                 std::span<const ConfigOverride> overrides = {});

}  // namespace bridge::config
