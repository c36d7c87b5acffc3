// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace workload {

// One slurmjob.slinky.slurm.net/* annotation, as listed in docs/annotations.md.
struct AnnotationEntry {
  std::string_view suffix;
  std::string_view slurm_field;  // member of the job in the body of POST /job/submit
  std::string_view value;        // the value to write, and its unit
  std::string_view otherwise;    // the job's value without the annotation
  std::string_view example;
  std::string_view slurm_right;  // who may set the field in Slurm without the bridge
};

// The entries, in alphabetical order of the suffix.
//
// Guarantees  one entry for each annotation that apply_job_annotations() knows; each example is
//             accepted and changes slurm_field and nothing else (annotation_reference_test.cpp).
std::span<const AnnotationEntry> annotation_reference();

}  // namespace workload
