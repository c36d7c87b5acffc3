// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/line.h"

#include <optional>
#include <string_view>

namespace slurmop::conf {

// Reads one line of a Slurm configuration file as Slurm's parser does: a comment ends it, blanks may
// surround the equals sign, a value may be in double quotes.
//
// Guarantees  the returned line renders to text that Slurm reads in the same way; an empty line or a
//             comment gives nothing.
// Does not    accept what would need a second line or another file (backslash, Include), nor the
//             operators += -= *= /=.
base::Result<std::optional<Line>> read_line(std::string_view text);

}  // namespace slurmop::conf
