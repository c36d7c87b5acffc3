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
// Ours alone. "true" on a running pod whose job Slurm lost: make a new job on the node that it has.
inline const std::string kReserveAgainAnnotation = "slinky.slurm.net/reserve-again";
// Ours alone. A pod's condition: whether Slurm knows the job under which the pod runs.
inline const std::string kJobKnownCondition = "slinky.slurm.net/SlurmJobKnown";
inline const std::string kJobAnnotationPrefix = "slurmjob.slinky.slurm.net/";
// What asks for devices of a class: "deviceclass.resource.kubernetes.io/gpu.nvidia.com".
inline const std::string kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

}  // namespace workload
