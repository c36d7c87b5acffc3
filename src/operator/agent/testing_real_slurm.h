// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the Slurm that tools/devcluster has unpacked, run in a private root.

#include "operator/agent/commands.h"
#include "operator/agent/testing_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

namespace slurmop::agent::testing {

// Programs that run chrooted in the unpacked Slurm, as the host "ctl", in their own mount, host name
// and process namespaces: nothing is mounted on this machine, and all their processes end with them,
// as in a container. The test's folder has the same path inside, so that files written by the agent
// are found.
class RealSlurm {
 public:
  static constexpr int kSlurmUser = 64030;  // in the root only

  // A reason to skip the test; empty if everything is there.
  static std::string missing() {
    if (::geteuid() != 0) return "not root: Slurm's private root needs mount namespaces";
    if (std::system("command -v unshare >/dev/null") != 0) return "no unshare on this machine";
    if (std::filesystem::temp_directory_path() != "/tmp") return "temporary files are not in /tmp";
    if (!root()) return "no unpacked Slurm: run tools/devcluster/devcluster fetch";
    return {};
  }

  RealSlurm() {
    for (const char* name : {"etc", "run", "run/slurmctld", "var", "tmp", "keys", "work"}) {
      std::filesystem::create_directory(folder_ / name);
    }
    (void)::chown((folder_ / "run/slurmctld").c_str(), kSlurmUser, kSlurmUser);
    const std::string& home = folder_.path();
    const std::string name = std::filesystem::path(home).filename().string();
    std::filesystem::create_directory(folder_ / ("tmp/" + name));
    key("slurm.key");
    key("jwt.key");
    script("enter",
           fmt::format(
               kEnter, fmt::arg("root", *root()), fmt::arg("home", home), fmt::arg("name", name)));
    script("scontrol", "exec " + home + "/enter /usr/bin/scontrol \"$@\"\n");
    script("slurmctld", "exec " + home + "/enter /usr/sbin/slurmctld-wlm \"$@\"\n");
  }

  Programs programs() const { return {folder_ / "scontrol", folder_ / "slurmctld", "bash"}; }
  const TestFolder& folder() const { return folder_; }

 private:
  static constexpr const char* kEnter = R"(
[ "$1" = --inside ] || exec unshare --mount --uts --pid --fork --kill-child --propagation private "$0" --inside "$@"
shift
export PATH=/usr/sbin:/usr/bin:/sbin:/bin SLURM_SACK_KEY={home}/keys/slurm.key
echo ctl >/proc/sys/kernel/hostname
mount -o bind,ro {root} {root}
mount --bind {home} {root}/cluster
mount --bind {home} {root}/cluster/tmp/{name}
mount --bind {home}/run {root}/run
mount -t proc proc {root}/proc
mount --rbind /dev {root}/dev
exec chroot {root} "$@"
)";

  static std::optional<std::string> root() {
    namespace fs = std::filesystem;
    std::vector<fs::path> found;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(cache(), problem)) {
      if (!entry.path().filename().string().starts_with("slurm-")) continue;
      if (fs::exists(entry.path() / "usr/sbin/slurmctld-wlm")) found.push_back(entry.path());
    }
    if (found.empty()) return std::nullopt;
    return std::ranges::max_element(
               found, {}, [](const fs::path& path) { return fs::last_write_time(path); })
        ->string();
  }

  // As tools/devcluster/cluster.py finds it.
  static std::filesystem::path cache() {
    const auto variable = [](const char* name) {
      const char* value = std::getenv(name);
      return std::string(value == nullptr ? "" : value);
    };
    if (const std::string own = variable("SLURM_BRIDGE_CACHE"); !own.empty()) return own;
    if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) {
      return std::filesystem::path(xdg) / "slurm-bridge";
    }
    return std::filesystem::path(variable("HOME")) / ".cache/slurm-bridge";
  }

  void key(const std::string& name) const {
    folder_.write("keys/" + name, std::string(64, 'k') + name);
    std::filesystem::permissions(folder_ / ("keys/" + name), std::filesystem::perms(0400));
    (void)::chown((folder_ / ("keys/" + name)).c_str(), kSlurmUser, kSlurmUser);
  }
  void script(const std::string& name, const std::string& text) const {
    folder_.write(name, "#!/bin/sh\nset -eu\n" + text);
    std::filesystem::permissions(folder_ / name, std::filesystem::perms(0755));
  }

  TestFolder folder_;
};

}  // namespace slurmop::agent::testing
