// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <string_view>

namespace slurm::inline api {

inline constexpr int kUnspecified = -1;
inline constexpr int kConnectFailure = 1800;  // slurmrestd did not reach slurmctld
inline constexpr int kInvalidJobId = 2017;
inline constexpr int kTextTooLong = 2012;
inline constexpr int kInvalidNodeName = 2018;
inline constexpr int kAlreadyDone = 2021;
inline constexpr int kNoSuchTopology = 2178;

// What one of Slurm's error numbers (slurm_errno.h) means for the caller's next step. The number
// decides, never the text and never the HTTP status, which changed between versions.
struct Meaning {
  base::Kind kind;
  std::string_view fix;  // which part of the request to change, where that is known
};
Meaning meaning(int error_number);

// slurmctld itself looked at the request and said no, as opposed to a failure on the way.
bool is_slurmctlds_verdict(int error_number);

// Whether a request that was answered with this number certainly had no effect. What slurmctld
// itself said does; a broken conversation between slurmrestd and slurmctld does not: a job was made
// under "Socket timed out" (5004) and one was cancelled under "Operation not permitted" (1).
bool proves_no_effect(int error_number);

}  // namespace slurm::inline api
