// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace base {

// Parses "2026-11-15T19:05:02Z", "...02.123456Z", "...02+01:00". Every field is checked against its
// range and the calendar; fractions finer than the clock are truncated. Years before 1678 and after
// 2261, which the clock cannot represent, are an error; this includes Go's zero time.
Result<WallTime> parse_rfc3339(std::string_view text);

// Kubernetes' Time: whole seconds, UTC, rounded down.
std::string format_rfc3339(WallTime when);
// Kubernetes' MicroTime: always six digits after the point, UTC, rounded down.
std::string format_rfc3339_micro(WallTime when);

}  // namespace base
