// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slurm::inline api {

inline constexpr std::size_t kMaxHosts = 65'536;  // also Slurm's limit for one range
inline constexpr std::size_t kMaxHostLength = 255;

// The names of a Slurm hostlist, in its order and with its repetitions: "k[001-003,7],r[1-2]n[1-2]"
// is k001 k002 k003 k7 r1n1 r1n2 r2n1 r2n2. Leading zeros are kept; commas and white space
// separate; an empty list has no names.
//
// Guarantees  a malformed list is an error, never a shorter list: "no nodes" and "nodes that could
//             not be read" lead to different decisions. More than `limit` names, or a name of more
//             than kMaxHostLength bytes, is an error before memory is allocated for it.
base::Result<std::vector<std::string>> expand_hostlist(std::string_view list,
                                                       std::size_t limit = kMaxHosts);

// True if the name is valid in a hostlist: 1 to kMaxHostLength printable ASCII characters without
// spaces, commas and brackets.
bool is_host_name(std::string_view name);

// The names as a hostlist, each name once, with ranges over the trailing number. The names are
// ordered by the text before the number, then by the number, independent of their input order.
// Every Slurm version reads the result. An invalid host name is an error.
base::Result<std::string> compress_hostlist(std::span<const std::string> names);

}  // namespace slurm::inline api
