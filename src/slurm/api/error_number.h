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

// The meaning of one of Slurm's error numbers (slurm_errno.h) for the caller's next step. Only the
// number decides: texts and HTTP statuses differ between Slurm versions.
struct Meaning {
  base::Kind kind;
  std::string_view fix;  // the part of the request to change, if known
};
Meaning meaning(int error_number);

// True if slurmctld examined the request and rejected it; false for a failure on the way to
// slurmctld.
bool is_slurmctlds_verdict(int error_number);

// True if a request that was answered with this number certainly had no effect. This holds for
// slurmctld's own verdicts. It does not hold for a broken connection between slurmrestd and
// slurmctld: with "Socket timed out" (5004) a job was created, with "Operation not permitted" (1) a
// job was cancelled.
bool proves_no_effect(int error_number);

}  // namespace slurm::inline api
