// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "slurm/api/job_request.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace workload {

using Annotations = std::map<std::string, std::string>;

// Applies the slurmjob.slinky.slurm.net/* annotations on top of what the pods request.
//
// Guarantees  an invalid value is an error that names the annotation, the value and what to write
//             instead; nothing is applied then.
base::Result<void> apply_job_annotations(const Annotations& annotations,
                                         slurm::JobRequest& request);

// One problem of the annotations, as a message for their author.
struct AnnotationProblem {
  enum class Weight {
    error,    // the job cannot be submitted with it
    warning,  // it has no effect, or another effect than expected
  };
  Weight weight;
  std::string message;  // one line that names the annotation and the remedy

  friend bool operator==(const AnnotationProblem&, const AnnotationProblem&) = default;
};

// All problems, ordered by name: values that apply_job_annotations would reject, and names without
// effect because of a typing mistake or because they are those of releases before 1.0. An unknown
// name is not an error: a later release may use it.
std::vector<AnnotationProblem> check_job_annotations(const Annotations& annotations);

// The names after the prefix that apply_job_annotations() supports, in alphabetical order.
// annotation_reference.h describes each.
std::vector<std::string_view> job_annotation_suffixes();

}  // namespace workload
