// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace slurmop::agent {

// What the configuration agent reports: the answer to GET /status.
struct Report {
  std::string seen = {};    // hash of the newest files that the agent has read; empty: none
  std::string active = {};  // hash of the files that slurmctld uses; empty: none
  // Why `seen` did not become active: "slurm.conf line 12: ..."; empty: none.
  std::string error = {};
  std::optional<base::WallTime> checked_at = {};  // end of the last check of a configuration

  friend bool operator==(const Report&, const Report&) = default;
};

// {"seen": "...", "active": "...", "error": "...", "checked_at": "2026-11-15T19:05:02Z"}; without a
// check, checked_at is absent.
std::string encode(const Report& report);

// Kind::protocol if the text is not such an object. Unknown members are ignored.
base::Result<Report> decode_report(std::string_view text);

}  // namespace slurmop::agent
