// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/agent.h"

namespace slurmop::agent {

using base::Result;

void add_flags(base::Flags& flags, AgentOptions& options) {
  flags.add("candidate", &options.candidate, "the folder with the new configuration");
  flags.add("active", &options.active, "the folder that slurmctld reads");
  flags.add("saved", &options.saved, "where the last valid configuration is kept for a new pod");
  flags.add("listen", &options.listen, "where /healthz and /status are served, such as :6880");
  flags.add("work-folder", &options.work_folder, "where files of a check are written for a while");
  flags.add("scontrol", &options.programs.scontrol, "name or path of scontrol");
  flags.add("slurmctld", &options.programs.slurmctld, "name or path of slurmctld");
  flags.add(
      "log-format",
      [&options](std::string_view value) -> Result<void> {
        TRY(options.log_format, base::parse_log_format(value));
        return {};
      },
      "format",
      "json or human");
  flags.add(
      "log-level",
      [&options](std::string_view value) -> Result<void> {
        TRY(options.log_level, base::parse_log_level(value));
        return {};
      },
      "level",
      "debug, info, warn or error");
}

}  // namespace slurmop::agent
