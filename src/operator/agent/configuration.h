// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace slurmop::agent {

// The files of slurmctld, as the operator publishes them in one ConfigMap.
struct Configuration {
  std::string hash;                          // the key "hash" of the ConfigMap
  std::map<std::string, std::string> files;  // by name; slurm.conf is always there

  friend bool operator==(const Configuration&, const Configuration&) = default;
};

inline constexpr std::string_view kHashFile = "hash";
inline constexpr std::string_view kMainFile = "slurm.conf";
// Not allowed as names of files: ConfigFolder uses them.
inline constexpr std::string_view kReservedNames[] = {"current", "versions"};

// Limits of a folder; a ConfigMap has at most 1 MiB.
inline constexpr std::size_t kMostFiles = 64;
inline constexpr std::size_t kMostFileBytes = 1UL << 20U;

// Identifies hash, names and contents: 64 hexadecimal digits. Two configurations with the same hash
// but different files (a ConfigMap that was edited by hand) have different ids.
std::string content_id(const Configuration& configuration);

// For the log: "slurm.conf, +topology.conf, -gres.conf"; empty if the files are equal.
std::string difference(const Configuration& before, const Configuration& after);

// The main file.
const std::string& slurm_conf(const Configuration& configuration);

// Reads the files of a folder: of a mounted ConfigMap, which the kubelet replaces as a whole, or of
// a plain folder. Names that begin with a dot are skipped.
//
// Guarantees  the files belong to one version of the ConfigMap.
// Errors      not_found    no configuration yet: the folder or its files do not exist
//             unavailable  the folder is being replaced: read it again
//             invalid      the folder cannot be a configuration; the message says why
base::Result<Configuration> read_configuration(const std::string& folder);

}  // namespace slurmop::agent
