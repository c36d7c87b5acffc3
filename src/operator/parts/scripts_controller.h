// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/parts/daemon_script.h"

#include <string>
#include <string_view>

namespace slurmop::parts {

// The first part of the scripts of the controller pod: continues as SlurmUser, without any capability
// (tried with Slurm 26.05: slurmctld, its reconfigure and the agent need none). A new volume belongs
// to root, and so does the state of a slurmctld that ran as root: both become those of SlurmUser.
// Owners are changed last, because root has no capability to change files of another account.
inline constexpr std::string_view kBecomeSlurmUser = R"bash(if [ "$EUID" = 0 ]; then
  state=/var/spool/slurmctld
  if [ "$(stat -c %U /run/slurmctld 2>/dev/null)" != slurm ]; then
    install -d -m 0755 /run/slurmctld
    chown slurm:slurm /run/slurmctld
  fi
  if [ "$(stat -c %U "$state")" != slurm ]; then
    chown root:root "$state"
    chmod 0700 "$state"
    chown -R slurm:slurm "$state"
  fi
  exec setpriv --reuid=slurm --regid=slurm --init-groups \
    bash -ec "$BASH_EXECUTION_STRING" "$0" "$@"
fi
umask 022
)bash";

// Waits for nothing: slurmctld starts without slurmdbd and without workers.
inline constexpr std::string_view kStartSlurmctld = R"bash(slurmctld -D "$@" &
)bash";

inline constexpr std::string_view kStartAgent = R"bash(slurm-operator config-agent "$@" &
)bash";

// The shell removes the processes that a checked slurmctld and the scripts of slurmctld leave behind.
inline std::string script_of_slurm_user(std::string_view start) {
  return with_shell_as_init(std::string(kBecomeSlurmUser) + std::string(start));
}

}  // namespace slurmop::parts
