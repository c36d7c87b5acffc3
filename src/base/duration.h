// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace base {

// Parses Go's text form of a duration ("1h30m", "1.5s", "300ms", "-2us", "0"), which flags,
// Kubernetes configuration files and JSON use. More than 292 years is an error.
Result<Duration> parse_duration(std::string_view text);

// Returns the shortest exact text, as Go prints it: "1h30m0s", "1.5s", "300ms", "0s".
std::string format_duration(Duration duration);

}  // namespace base
