// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

// File operations of the agent that either take effect completely or not at all, also when the
// machine loses power. Errors are Kind::unavailable with the path: a full or read-only file system
// can be repaired.
namespace slurmop::agent {

// Creates the folder and those above it, mode 0755.
base::Result<void> make_folder(const std::string& path);

// Creates a folder with a new name that begins with `prefix`, mode 0755, and returns its path.
base::Result<std::string> make_new_folder(const std::string& prefix);

// Writes a file, mode 0644 whatever the umask is, and waits until it is on the disk. Not atomic:
// the file must be new.
base::Result<void> write_new_file(const std::string& path, std::string_view content);

// Replaces a file atomically. A reader sees the old or the new content.
base::Result<void> replace_file(const std::string& path, std::string_view content);

// Makes `path` a symbolic link to `target`; an existing link or file is replaced atomically.
base::Result<void> replace_link(const std::string& target, const std::string& path);

// Waits until the names in the folder are on the disk.
base::Result<void> sync_folder(const std::string& path);

}  // namespace slurmop::agent
