// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/agent/configuration.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace slurmop::agent {

// A folder that holds one configuration and is replaced as a whole:
//
//   FOLDER/versions/0a1b2c3d4e5f6071.AbCdEf/slurm.conf   the files and the hash
//   FOLDER/current -> versions/0a1b2c3d4e5f6071.AbCdEf
//   FOLDER/slurm.conf -> current/slurm.conf              only with Links::each_file
//
// Guarantees  a reader finds the old or the new files, never a mixture, also after a crash: the one
//             step that changes them is the replacement of the link `current`. Entries of the
//             folder that this class did not create are kept, except those with the name of a file
//             of the configuration. The replaced version stays until the next write, because a
//             program may be reading it.
class ConfigFolder {
 public:
  enum class Links { none, each_file };

  ConfigFolder(std::string path, Links links) : path_(std::move(path)), links_(links) {}

  const std::string& path() const { return path_; }

  // Empty if nothing was written yet, or if the stored files are unusable.
  std::optional<Configuration> read() const;

  // Kind::unavailable, with the path, if it cannot be written; the old configuration is still there.
  base::Result<void> write(const Configuration& configuration);

 private:
  base::Result<std::string> write_version(const Configuration& configuration) const;
  base::Result<void> add_links(const Configuration& configuration) const;
  void remove_links(const Configuration& configuration) const;
  void remove_old_versions() const;
  std::string in_folder(std::string_view name) const;

  std::string path_;
  Links links_;
};

}  // namespace slurmop::agent
