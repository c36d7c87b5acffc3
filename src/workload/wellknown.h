// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Names that are an interface: shared with SlinkyProject/slurm-bridge, so that a cluster can switch
// from one to the other and back.
namespace workload {

inline const std::string kJobIdLabel = "scheduler.slinky.slurm.net/slurm-jobid";
inline const std::string kNodeAnnotation = "slinky.slurm.net/slurm-node";
inline const std::string kFinalizer = "scheduler.slinky.slurm.net/finalizer";
inline const std::string kSlurmNodeNameLabel = "slinky.slurm.net/slurm-nodename";
inline const std::string kTaintKey = "slinky.slurm.net/managed-node";
inline const std::string kJobAnnotationPrefix = "slurmjob.slinky.slurm.net/";
// Of the reference up to 0.4; without effect since.
inline const std::string kOldJobAnnotationPrefix = "slinky.slurm.net/";

}  // namespace workload
