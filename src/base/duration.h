// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace base {

// Go's text form of a duration ("1h30m", "1.5s", "300ms", "-2us", "0"), which flags, Kubernetes
// configuration files and JSON use. Beyond 292 years is an error.
Result<Duration> parse_duration(std::string_view text);

// The shortest exact text, as Go prints it: "1h30m0s", "1.5s", "300ms", "0s".
std::string format_duration(Duration duration);

}  // namespace base
