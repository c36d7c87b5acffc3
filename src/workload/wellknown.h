// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Names that are an interface: shared with SlinkyProject/slurm-bridge, so that a cluster can switch
// between the two.
namespace workload {

inline const std::string kJobIdLabel = "scheduler.slinky.slurm.net/slurm-jobid";
inline const std::string kNodeAnnotation = "slinky.slurm.net/slurm-node";
inline const std::string kFinalizer = "scheduler.slinky.slurm.net/finalizer";
// Of the reference's versions 0.3 and 0.4: removed together with ours, never added.
inline const std::string kOldFinalizer = "scheduler.slurm.net/finalizer";
inline const std::string kSlurmNodeNameLabel = "slinky.slurm.net/slurm-nodename";
inline const std::string kTaintKey = "slinky.slurm.net/managed-node";
// On a Kubernetes node: the bridge registers the node in Slurm and removes it.
inline const std::string kExternalNodeLabel = "scheduler.slinky.slurm.net/external-node";
// On such a node: partitions, separated by commas, that become its features.
inline const std::string kExternalNodePartitions =
    "scheduler.slinky.slurm.net/external-node-partitions";
// The place in Slurm's dynamic topology.
inline const std::string kTopologySpec = "topology.slinky.slurm.net/spec";
// Ours only. The node was cordoned because Slurm does not use it; the value is Slurm's reason. A
// cordon without this annotation is not ours.
inline const std::string kDrainReason = "slinky.slurm.net/slurm-drain-reason";
// Ours only. Replaces it after an administrator removed that cordon; a later cordon is theirs.
inline const std::string kCordonLifted = "slinky.slurm.net/slurm-cordon-lifted";
// Ours only. "true" on a running pod whose job Slurm lost: submit a new job on the pod's node.
inline const std::string kReserveAgainAnnotation = "slinky.slurm.net/reserve-again";
// Ours only. The job id in the label belongs to a job with our identity: a job with that id and
// without an identity is another job.
inline const std::string kIdentifiedJobAnnotation = "slinky.slurm.net/identified-job";
// Ours only. Condition of a pod: whether Slurm knows the job under which the pod runs.
inline const std::string kJobKnownCondition = "slinky.slurm.net/SlurmJobKnown";
inline const std::string kJobAnnotationPrefix = "slurmjob.slinky.slurm.net/";
// Of the reference until 0.4; without effect since.
inline const std::string kOldJobAnnotationPrefix = "slinky.slurm.net/";
// Prefix of requests for devices of a class: "deviceclass.resource.kubernetes.io/gpu.nvidia.com".
inline const std::string kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";

}  // namespace workload
