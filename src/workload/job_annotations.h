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

// Applies the slurmjob.slinky.slurm.net/* annotations on top of what the pods ask for.
//
// Guarantees  a value that cannot be meant is an error that names the annotation, the value and
//             what to write instead; nothing is applied then.
base::Result<void> apply_job_annotations(const Annotations& annotations,
                                         slurm::JobRequest& request);

// One thing that is wrong with the annotations, in words for who wrote them.
struct AnnotationProblem {
  enum class Weight {
    error,    // Slurm cannot be asked like that
    warning,  // it has no effect, or not the one that it seems to have
  };
  Weight weight;
  std::string message;  // one line that names the annotation and the remedy

  friend bool operator==(const AnnotationProblem&, const AnnotationProblem&) = default;
};

// Everything that is wrong, in the order of the names: what apply_job_annotations would refuse, and
// names that mean nothing because of a typing mistake or because they are those of releases before
// 1.0. A name that we do not know is no error: a later release may know it.
std::vector<AnnotationProblem> check_job_annotations(const Annotations& annotations);

// The names after the prefix that apply_job_annotations() knows, in alphabetical order.
// annotation_reference.h describes each.
std::vector<std::string_view> job_annotation_suffixes();

}  // namespace workload
