// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "slurm/job_request.h"

#include <map>
#include <string>

namespace workload {

// Applies the slurmjob.slinky.slurm.net/* annotations on top of what the pods ask for.
//
// Guarantees  a value that cannot be meant is an error that names the annotation, the value and
// what
//             to write instead; nothing is applied then.
base::Result<void> apply_job_annotations(const std::map<std::string, std::string>& annotations,
                                         slurm::JobRequest& request);

}  // namespace workload
