// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http.h"

#include <string>
#include <vector>

// Answers of slurmdbd's half of slurmrestd (/slurmdb/), read purely. A slurmrestd without
// accounting does not know that half at all.
namespace slurm {

// That a user may use an account; with a partition: only there.
struct Association {
  std::string user;
  std::string account;
  std::string cluster;
  std::string partition;
  bool is_default = false;

  friend bool operator==(const Association&, const Association&) = default;
};

// /associations/. Somebody without any is an empty list, also if there is no such user.
base::Result<std::vector<Association>> associations(const net::http::Response& answer);

}  // namespace slurm
