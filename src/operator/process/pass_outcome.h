// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "kube/api/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace slurmop::process {

// The cluster whose objects are written.
struct ClusterRef {
  kube::ObjectKey key;
  kube::Uid uid;
};

// What a pass could not do, apart from errors that end it.
struct PassOutcome {
  // Objects that the API server rejects, and why, with a remedy where there is one. They are rejected
  // again until somebody changes something.
  std::vector<std::string> failures;
  bool is_complete = true;  // false: steps on pods are left for a later pass
  std::optional<base::Error>
      failed_step;  // in Slurm or on a pod; the steps after it were not executed
};

// Whether the API server rejects this one object, so that the next one may still be written.
bool is_rejection(const base::Error& error);

}  // namespace slurmop::process
