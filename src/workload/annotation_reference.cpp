// SPDX-License-Identifier: Apache-2.0
#include "workload/annotation_reference.h"

namespace workload {
namespace {

constexpr std::string_view kAnyUser = "any user";
constexpr std::string_view kOperator = "operator or administrator";
constexpr std::string_view kSlurmUser = "SlurmUser or root";

constexpr AnnotationEntry kEntries[] = {
    {"account",
     "account",
     "name of an account",
     "default account of the job's user",
     "physics",
     kAnyUser},
    {"constraints",
     "constraints",
     "node features, in the syntax of `sbatch --constraint`",
     "none",
     "a100&nvlink",
     kAnyUser},
    {"cpu-per-task",
     "cpus_per_task",
     "CPUs as a Kubernetes quantity, rounded up to whole CPUs, 1 to 65535",
     "CPUs of the pod: the larger of requests and limits, rounded up",
     "4",
     kAnyUser},
    {"exclusive",
     "shared",
     "`true`: whole nodes; `false`: the nodes may be shared with other jobs",
     "true",
     "false",
     kAnyUser},
    {"gres",
     "tres_per_node",
     "generic resources per node, in the syntax of `sbatch --tres-per-node`",
     "GPUs and devices in the limits of the pod",
     "gres/gpu:a100:2",
     kAnyUser},
    {"group-id",
     "group_id",
     "name of a group that slurmrestd can resolve, or a number",
     "group of the token's user",
     "physics",
     kSlurmUser},
    {"job-name", "name", "text", "name of the pod", "train-7b", kAnyUser},
    {"licenses",
     "licenses",
     "licences, in the syntax of `sbatch --licenses`",
     "none",
     "matlab:2",
     kAnyUser},
    {"max-nodes", "maximum_nodes", "number of nodes, 1 or more", "1", "2", kAnyUser},
    {"mem-per-node",
     "memory_per_node",
     "memory as a Kubernetes quantity, in bytes without a suffix, at least `1Mi`, rounded down to "
     "MiB",
     "memory of the pod: the larger of requests and limits; if there is none, `DefMemPerNode` or "
     "`DefMemPerCPU`, else all memory of the node",
     "16Gi",
     kAnyUser},
    {"min-nodes",
     "minimum_nodes",
     "number of nodes, 1 or more, not above `max-nodes`",
     "1",
     "2",
     kAnyUser},
    {"partition",
     "partition",
     "name of a partition, or several with commas",
     "`partition` of the configuration, else the default partition of Slurm",
     "gpu",
     kAnyUser},
    {"priority",
     "priority",
     "whole number from 0 to 2147483647; 0 holds the job",
     "calculated by Slurm",
     "1000",
     kOperator},
    {"qos", "qos", "name of a QOS", "default QOS of the association", "high", kAnyUser},
    {"reservation", "reservation", "name of a reservation", "none", "maintenance-test", kAnyUser},
    {"timelimit",
     "time_limit",
     "minutes, 1 or more",
     "the shorter `activeDeadlineSeconds` of the pod and its Job, rounded up to minutes; if "
     "there is none, `DefaultTime` of the partition, else its `MaxTime`",
     "120",
     kAnyUser},
    {"user-id",
     "user_id",
     "name of a user that slurmrestd can resolve, or a number",
     "user of the token (SlurmUser)",
     "alice",
     kSlurmUser},
    {"wckey",
     "wckey",
     "workload characterization key",
     "default wckey of the user",
     "project1",
     kAnyUser},
};

}  // namespace

std::span<const AnnotationEntry> annotation_reference() {
  return kEntries;
}

}  // namespace workload
