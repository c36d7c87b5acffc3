// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/key_tables.h"

#include "operator/conf/key_build.h"
#include "operator/conf/slurm_words.h"

namespace slurmop::conf {
namespace {

using namespace row;

constexpr KeySpec kPartitionKeys[] = {
    plain("AllocNodes", Form::nodes),
    plain("AllowAccounts", Form::names),
    plain("AllowGroups", Form::names),
    plain("AllowQos", Form::names),
    plain("Alternate", Form::name),
    of("CpuBind", Form::choice, words::kCpuBind),
    number("DefCPUPerGPU", 0, kMost64),
    number("DefMemPerCPU", 0, kMost64),
    number("DefMemPerGPU", 0, kMost64),
    number("DefMemPerNode", 0, kMost64),
    plain("Default", Form::boolean),
    plain("DefaultTime", Form::time),
    plain("DenyAccounts", Form::names),
    plain("DenyQos", Form::names),
    plain("DisableRootJobs", Form::boolean),
    plain("ExclusiveTopo", Form::boolean),
    plain("ExclusiveUser", Form::boolean),
    limit("GraceTime", 0, kMost32),
    plain("Hidden", Form::boolean),
    plain("LLN", Form::boolean),
    limit("MaxCPUsPerNode", 0, kMost32),
    limit("MaxCPUsPerSocket", 0, kMost32),
    number("MaxMemPerCPU", 0, kMost64),
    number("MaxMemPerNode", 0, kMost64),
    limit("MaxNodes", 0, kMost32),
    plain("MaxTime", Form::time),
    number("MinNodes", 0, kMost32),
    plain("Nodes", Form::text),  // names of NodeSets; checked by custom_slurm_config
    of("OverSubscribe", Form::counted, words::kOverSubscribe),
    limit("OverTimeLimit", 0, kMost16),
    plain("PowerDownOnIdle", Form::boolean),
    of("PreemptMode", Form::choices, words::kPartitionPreemptMode),
    gone("Priority", "it is obsolete; use PriorityTier and PriorityJobFactor"),
    number("PriorityJobFactor", 0, kMost16),
    number("PriorityTier", 0, kMost16),
    plain("QOS", Form::name),
    plain("ReqResv", Form::boolean),
    number("ResumeTimeout", 1, kMost16),
    plain("RootOnly", Form::boolean),
    of("SelectTypeParameters", Form::choices, words::kSelectTypeParameters),
    gone("Shared", "it is obsolete; use OverSubscribe"),
    of("State", Form::choice, words::kPartitionState),
    limit("SuspendTime", 0, kMost32),
    number("SuspendTimeout", 1, kMost16),
    plain("TRESBillingWeights", Form::text),
    plain("Topology", Form::name),
};

constexpr std::string_view kPod = "it follows the pod of the worker";
constexpr std::string_view kFeatures = "use nodeConfig.features";

// Found as those of slurm_keys(): by giving every name in the library of 26.05.5 to its parser.
constexpr KeySpec kNodeKeys[] = {
    ours(plain("BcastAddr", Form::host), kPod),
    number("Boards", 1, kMost16),
    number("CPUs", 1, kMost16),
    number("CoreSpecCount", 0, kMost16),
    number("CoresPerSocket", 1, kMost16),
    of("CpuBind", Form::choice, words::kCpuBind),
    plain("CpuSpecList", Form::nodes),
    ours(plain("Feature", Form::names), kFeatures),
    ours(plain("Features", Form::names), kFeatures),
    plain("Gres", Form::text),
    plain("GresConf", Form::text),
    number("MemSpecLimit", 0, kMost64),
    ours(plain("NodeAddr", Form::host), kPod),
    ours(plain("NodeHostname", Form::host), kPod),
    ours(plain("NodeName", Form::nodes), kPod),
    plain("Parameters", Form::text),
    ours(number("Port", 1, 65535), "use slurmd.port"),
    gone("Procs", "it is obsolete; use CPUs"),
    number("RealMemory", 1, kMost64),
    plain("Reason", Form::text),
    number("RestrictedCoresPerGPU", 0, kMost16),
    number("Sockets", 1, kMost16),
    number("SocketsPerBoard", 1, kMost16),
    ours(plain("State", Form::name), kPod),
    gone("SuspendTime", "workers are pods: change the size of the NodeSet instead"),
    plain("TRESWeights", Form::text),
    number("ThreadsPerCore", 1, kMost16),
    number("TmpDisk", 0, kMost32),
    plain("Topology", Form::text),
    number("Weight", 0, kMost32),
};

constexpr KeySpec kNodeSetKeys[] = {
    plain("Feature", Form::name),
    gone("Nodes", "worker nodes come and go with their pods; use Feature"),
};

constexpr std::string_view kMode = "it follows the cgroup mode of the workers";

constexpr KeySpec kCgroupKeys[] = {
    plain("AllowedRAMSpace", Form::text),
    plain("AllowedSwapSpace", Form::text),
    plain("CgroupMountpoint", Form::path),
    ours(of("CgroupPlugin", Form::choice, words::kCgroupPlugin), kMode),
    plain("CgroupSlice", Form::name),
    plain("ConstrainCores", Form::boolean),
    plain("ConstrainDevices", Form::boolean),
    plain("ConstrainRAMSpace", Form::boolean),
    plain("ConstrainSwapSpace", Form::boolean),
    plain("EnableControllers", Form::boolean),
    plain("EnableExtraControllers", Form::names),
    plain("IgnoreSystemd", Form::boolean),
    plain("IgnoreSystemdOnFailure", Form::boolean),
    plain("MaxRAMPercent", Form::text),
    plain("MaxSwapPercent", Form::text),
    number("MemorySwappiness", 0, 100),
    number("MinRAMSpace", 0, kMost64),
    plain("SignalChildrenProcesses", Form::boolean),
    number("SystemdTimeout", 1, kMost32),
};

constexpr KeySpec kSlurmdbdKeys[] = {
    plain("AllResourcesAbsolute", Form::boolean),
    plain("AllowNoDefAcct", Form::boolean),
    plain("ArchiveDir", Form::path),
    plain("ArchiveEvents", Form::boolean),
    plain("ArchiveJobs", Form::boolean),
    plain("ArchiveResvs", Form::boolean),
    plain("ArchiveScript", Form::path),
    plain("ArchiveSteps", Form::boolean),
    plain("ArchiveSuspend", Form::boolean),
    plain("ArchiveTXN", Form::boolean),
    plain("ArchiveUsage", Form::boolean),
    ours(plain("AuthAltParameters", Form::text), ""),
    ours(of("AuthAltTypes", Form::plugins, words::kAuthAltTypes), ""),
    ours(plain("AuthInfo", Form::text), ""),
    ours(of("AuthType", Form::plugin, words::kAuthType), ""),
    number("CommitDelay", 0, kMost16),
    of("CommunicationParameters", Form::options, words::kCommunicationParameters),
    ours(plain("DbdAddr", Form::host), ""),
    ours(plain("DbdHost", Form::host), ""),
    ours(number("DbdPort", 1, 65535), ""),
    of("DebugFlags", Form::choices, words::kDebugFlags),
    of("DebugLevel", Form::choice, words::kDebugLevel),
    plain("DefaultQOS", Form::name),
    ours(plain("LogFile", Form::path), ""),
    of("LogTimeFormat", Form::choices, words::kLogTimeFormat),
    plain("MaxQueryTimeRange", Form::time),
    number("MessageTimeout", 1, 3600),
    ours(plain("PidFile", Form::path), ""),
    of("PrivateData", Form::choices, words::kPrivateData),
    plain("PurgeEventAfter", Form::name),
    plain("PurgeJobAfter", Form::name),
    plain("PurgeResvAfter", Form::name),
    plain("PurgeStepAfter", Form::name),
    plain("PurgeSuspendAfter", Form::name),
    plain("PurgeTXNAfter", Form::name),
    plain("PurgeUsageAfter", Form::name),
    ours(plain("SlurmUser", Form::name), ""),
    ours(plain("StorageHost", Form::host), ""),
    ours(plain("StorageLoc", Form::name), ""),
    of("StorageParameters", Form::options, words::kAccountingStorageParameters),
    ours(plain("StoragePassScript", Form::path), ""),
    ours(number("StoragePort", 1, 65535), ""),
    ours(of("StorageType", Form::plugin, words::kStorageType), ""),
    ours(plain("StorageUser", Form::name), ""),
    number("TCPTimeout", 1, 3600),
    plain("TrackSlurmctldDown", Form::boolean),
    plain("TrackWCKey", Form::boolean),
};

constexpr KeySpec kGresKeys[] = {
    of("AutoDetect", Form::choice, words::kAutoDetect),
    plain("Cores", Form::nodes),
    number("Count", 1, kMost32),
    plain("File", Form::text),
    of("Flags", Form::choices, words::kGresFlags),
    plain("Links", Form::text),
    plain("Name", Form::name),
    plain("NodeName", Form::nodes),
    plain("Type", Form::name),
};

}  // namespace

std::span<const KeySpec> partition_keys() {
  return kPartitionKeys;
}
std::span<const KeySpec> node_keys() {
  return kNodeKeys;
}
std::span<const KeySpec> node_set_keys() {
  return kNodeSetKeys;
}
std::span<const KeySpec> cgroup_keys() {
  return kCgroupKeys;
}
std::span<const KeySpec> slurmdbd_keys() {
  return kSlurmdbdKeys;
}
std::span<const KeySpec> gres_keys() {
  return kGresKeys;
}

}  // namespace slurmop::conf
