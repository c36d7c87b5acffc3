// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slurmop::parts {

// The end of a script that has started a daemon in the background: the shell stays process 1 of the
// container. slurmd would not remove the ended processes that every job leaves behind, and sackd as
// process 1 would not end when the pod is deleted. `wait` returns also when the shell has passed on a
// signal; the exit code is that of the daemon.
inline constexpr std::string_view kWaitForDaemon = R"bash(daemon=$!
trap 'kill -TERM "$daemon"' TERM INT
code=0
wait "$daemon" || code=$?
while kill -0 "$daemon" 2>/dev/null; do
  code=0
  wait "$daemon" || code=$?
done
exit "$code"
)bash";

inline std::string with_shell_as_init(std::string_view start) {
  return std::string(start) + std::string(kWaitForDaemon);
}

}  // namespace slurmop::parts
