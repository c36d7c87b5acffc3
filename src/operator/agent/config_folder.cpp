// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/config_folder.h"

#include "operator/agent/durable_files.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::string_view kCurrent = kReservedNames[0];
constexpr std::string_view kVersions = kReservedNames[1];
constexpr std::size_t kIdInName = 16;

std::string target_of(const fs::path& link) {
  std::error_code problem;
  const fs::path target = fs::read_symlink(link, problem);
  return problem ? std::string() : target.string();
}

// Read before any of them is removed.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    entries.push_back(entry->path());
  }
  return entries;
}

std::string through_current(const std::string& name) {
  return (fs::path(kCurrent) / name).string();
}

}  // namespace

std::string ConfigFolder::in_folder(std::string_view name) const {
  return (fs::path(path_) / name).string();
}

std::optional<Configuration> ConfigFolder::read() const {
  auto read = read_configuration(in_folder(kCurrent));
  if (!read.ok()) return std::nullopt;
  return std::move(*read);
}

Result<void> ConfigFolder::write(const Configuration& configuration) {
  remove_old_versions();
  TRY(const std::string version, write_version(configuration));
  TRY_VOID(add_links(configuration));
  TRY_VOID(replace_link(version, in_folder(kCurrent)));
  remove_links(configuration);
  return {};
}

// Returns the path below the folder.
Result<std::string> ConfigFolder::write_version(const Configuration& configuration) const {
  const std::string versions = in_folder(kVersions);
  TRY_VOID(make_folder(versions));
  const std::string name = content_id(configuration).substr(0, kIdInName);
  TRY(const std::string folder, make_new_folder((fs::path(versions) / name).string()));
  for (const auto& [file, content] : configuration.files) {
    TRY_VOID(write_new_file((fs::path(folder) / file).string(), content));
  }
  TRY_VOID(write_new_file((fs::path(folder) / kHashFile).string(), configuration.hash));
  TRY_VOID(sync_folder(folder));
  TRY_VOID(sync_folder(versions));
  return (fs::path(kVersions) / fs::path(folder).filename()).string();
}

// Before the replacement: a link to a file that does not exist yet is an absent file.
Result<void> ConfigFolder::add_links(const Configuration& configuration) const {
  if (links_ == Links::none) return {};
  for (const auto& [file, content] : configuration.files) {
    if (target_of(in_folder(file)) == through_current(file)) continue;
    TRY_VOID(replace_link(through_current(file), in_folder(file)));
  }
  return {};
}

// After the replacement; a link that stays is harmless.
void ConfigFolder::remove_links(const Configuration& configuration) const {
  if (links_ == Links::none) return;
  for (const fs::path& entry : entries_of(path_)) {
    const std::string name = entry.filename().string();
    if (configuration.files.contains(name)) continue;
    std::error_code ignored;
    if (target_of(entry) == through_current(name)) fs::remove(entry, ignored);
  }
}

// Those that are not in use, among them the remains of writes that failed.
void ConfigFolder::remove_old_versions() const {
  const std::string current = fs::path(target_of(in_folder(kCurrent))).filename().string();
  for (const fs::path& entry : entries_of(in_folder(kVersions))) {
    std::error_code ignored;
    if (entry.filename() != current) fs::remove_all(entry, ignored);
  }
}

}  // namespace slurmop::agent
