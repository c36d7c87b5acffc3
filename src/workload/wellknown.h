// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Names that are an interface: shared with SlinkyProject/slurm-bridge, so that a cluster can switch
// from one to the other and back.
namespace workload {

inline const std::string kJobIdLabel = "scheduler.slinky.slurm.net/slurm-jobid";
inline const std::string kNodeAnnotation = "slinky.slurm.net/slurm-node";
inline const std::string kFinalizer = "scheduler.slinky.slurm.net/finalizer";
// Of the reference's versions 0.3 and 0.4: removed together with ours, never added.
inline const std::string kOldFinalizer = "scheduler.slurm.net/finalizer";
inline const std::string kSlurmNodeNameLabel = "slinky.slurm.net/slurm-nodename";
inline const std::string kTaintKey = "slinky.slurm.net/managed-node";
// On a Kubernetes node: it is to be a node of Slurm's, made and removed by the bridge.
inline const std::string kExternalNodeLabel = "scheduler.slinky.slurm.net/external-node";
// On such a node: partitions, separated by commas, that become its features.
inline const std::string kExternalNodePartitions =
    "scheduler.slinky.slurm.net/external-node-partitions";
// Its place in Slurm's dynamic topology.
inline const std::string kTopologySpec = "topology.slinky.slurm.net/spec";
// Of our own: this node was cordoned because Slurm does not use it; the value is Slurm's reason.
// A cordon without it is somebody else's.
inline const std::string kDrainReason = "slinky.slurm.net/slurm-drain-reason";
// In place of it after somebody lifted that cordon: what he sets from now on is his.
inline const std::string kCordonLifted = "slinky.slurm.net/slurm-cordon-lifted";
// Ours alone. "true" on a running pod whose job Slurm lost: make a new job on the node that it has.
inline const std::string kReserveAgainAnnotation = "slinky.slurm.net/reserve-again";
// Ours alone. The id on the label was written for a job with our identity: a job of that id without
// one is another job.
inline const std::string kIdentifiedJobAnnotation = "slinky.slurm.net/identified-job";
// Ours alone. A pod's condition: whether Slurm knows the job under which the pod runs.
inline const std::string kJobKnownCondition = "slinky.slurm.net/SlurmJobKnown";
inline const std::string kJobAnnotationPrefix = "slurmjob.slinky.slurm.net/";
// Of the reference up to 0.4; without effect since.
inline const std::string kOldJobAnnotationPrefix = "slinky.slurm.net/";
// What asks for devices of a class: "deviceclass.resource.kubernetes.io/gpu.nvidia.com".
inline const std::string kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

}  // namespace workload
