// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The words that keys of slurm.conf accept in Slurm 26.05. Slurm itself ignores most unknown words
// without a message. Each option occurs in the programs of 26.05.5.
namespace slurmop::conf::words {

using Word = std::string_view;

inline constexpr Word kSchedulerParameters[] = {"allow_zero_lic",
                                                "assoc_limit_stop",
                                                "batch_sched_delay=#",
                                                "bb_array_stage_cnt=#",
                                                "bf_allow_magnetic_slot",
                                                "bf_busy_nodes",
                                                "bf_continue",
                                                "bf_hetjob_immediate",
                                                "bf_hetjob_prio=*",
                                                "bf_interval=#",
                                                "bf_job_part_count_reserve=#",
                                                "bf_licenses",
                                                "bf_max_job_array_resv=#",
                                                "bf_max_job_assoc=#",
                                                "bf_max_job_part=#",
                                                "bf_max_job_start=#",
                                                "bf_max_job_test=#",
                                                "bf_max_job_user=#",
                                                "bf_max_job_user_part=#",
                                                "bf_max_time=#",
                                                "bf_min_age_reserve=#",
                                                "bf_min_prio_reserve=#",
                                                "bf_node_space_size=#",
                                                "bf_one_resv_per_job",
                                                "bf_resolution=#",
                                                "bf_running_job_reserve",
                                                "bf_topopt_enable",
                                                "bf_topopt_iterations=#",
                                                "bf_window=#",
                                                "bf_window_linear=#",
                                                "bf_yield_interval=#",
                                                "bf_yield_rpc_cnt=#",
                                                "bf_yield_sleep=#",
                                                "build_queue_timeout=#",
                                                "correspond_after_task_cnt=#",
                                                "default_queue_depth=#",
                                                "defer",
                                                "defer_batch",
                                                "delay_boot=*",
                                                "disable_hetjob_steps",
                                                "disable_job_shrink",
                                                "enable_user_top",
                                                "extra_constraints",
                                                "ignore_constraint_validation",
                                                "ignore_numa",
                                                "ignore_prefer_validation",
                                                "max_array_tasks=#",
                                                "max_depend_depth=#",
                                                "max_rpc_cnt=#",
                                                "max_sched_time=#",
                                                "max_script_size=#",
                                                "max_submit_line_size=#",
                                                "max_switch_wait=#",
                                                "no_backup_scheduling",
                                                "nohold_on_prolog_fail",
                                                "pack_serial_at_end",
                                                "partition_job_depth=#",
                                                "preempt_reorder_count=#",
                                                "reduce_completing_frag",
                                                "requeue_delay=#",
                                                "salloc_wait_nodes",
                                                "sbatch_wait_nodes",
                                                "sched_interval=#",
                                                "sched_max_job_start=#",
                                                "sched_min_interval=#",
                                                "spec_cores_first",
                                                "step_retry_count=#",
                                                "step_retry_time=#",
                                                "time_min_as_soft_limit",
                                                "whole_hetjob",
                                                "whole_pack"};

inline constexpr Word kSlurmctldParameters[] = {"allow_user_triggers",
                                                "cloud_dns",
                                                "cloud_reg_addrs",
                                                "conmgr_connect_timeout=#",
                                                "conmgr_max_connections=#",
                                                "conmgr_quiesce_timeout=#",
                                                "conmgr_read_timeout=#",
                                                "conmgr_threads=#",
                                                "conmgr_use_poll",
                                                "conmgr_wait_write_delay=#",
                                                "conmgr_write_timeout=#",
                                                "disable_triggers",
                                                "enable_async_reply",
                                                "enable_configless",
                                                "enable_expedited_requeue",
                                                "enable_rpc_queue",
                                                "enable_stepmgr",
                                                "getnameinfo_cache_timeout=#",
                                                "idle_on_node_suspend",
                                                "max_dbd_msg_action=*",
                                                "max_powered_nodes=#",
                                                "no_backup_scheduling",
                                                "no_quick_restart",
                                                "node_reg_mem_percent=#",
                                                "power_save_interval=#",
                                                "power_save_min_interval=#",
                                                "preempt_send_user_signal",
                                                "reboot_from_controller",
                                                "requeue_on_resume_failure",
                                                "rl_bucket_size=#",
                                                "rl_enable",
                                                "rl_refill_period=#",
                                                "rl_refill_rate=#",
                                                "rl_table_size=#",
                                                "threadpool_preallocate=#",
                                                "threadpool_preserve=#",
                                                "user_resv_delete",
                                                "validate_nodeaddr_threads=#"};

inline constexpr Word kSlurmdParameters[] = {"allow_ecores",
                                             "certificate_renewal_period=#",
                                             "config_overrides",
                                             "conmgr_connect_timeout=#",
                                             "conmgr_max_connections=#",
                                             "conmgr_threads=#",
                                             "conmgr_use_poll",
                                             "contain_spank",
                                             "l3cache_as_socket",
                                             "numa_node_as_socket",
                                             "shutdown_on_reboot"};

inline constexpr Word kLaunchParameters[] = {"batch_step_set_cpu_freq",
                                             "disable_send_gids",
                                             "enable_nss_slurm",
                                             "mpir_use_nodeaddr",
                                             "slurmstepd_memlock",
                                             "slurmstepd_memlock_all",
                                             "test_exec",
                                             "ulimit_pam_adopt",
                                             "use_interactive_step"};

inline constexpr Word kCommunicationParameters[] = {"block_null_hash",
                                                    "disable_http",
                                                    "DisableIPv4",
                                                    "EnableIPv6",
                                                    "getnameinfo_cache_timeout=#",
                                                    "host_unreach_retry_count=#",
                                                    "keepaliveinterval=#",
                                                    "keepaliveprobes=#",
                                                    "keepalivetime=#",
                                                    "NoAddrCache",
                                                    "NoCtldInAddrAny",
                                                    "NoInAddrAny"};

inline constexpr Word kPreemptParameters[] = {"min_exempt_priority=#",
                                              "reclaim_licenses",
                                              "reorder_count=#",
                                              "send_user_signal",
                                              "strict_order",
                                              "suspend_grace_time=#",
                                              "youngest_first"};

inline constexpr Word kPriorityFlags[] = {"ACCRUE_ALWAYS",
                                          "CALCULATE_RUNNING",
                                          "DEPTH_OBLIVIOUS",
                                          "FAIR_TREE",
                                          "INCR_ONLY",
                                          "MAX_TRES",
                                          "MAX_TRES_GRES",
                                          "NO_FAIR_TREE",
                                          "NO_NORMAL_ALL",
                                          "NO_NORMAL_ASSOC",
                                          "NO_NORMAL_PART",
                                          "NO_NORMAL_QOS",
                                          "NO_NORMAL_TRES",
                                          "SMALL_RELATIVE_TO_TIME"};

inline constexpr Word kAccountingStorageEnforce[] = {
    "all", "associations", "limits", "nojobs", "nosteps", "qos", "safe", "wckeys", "0", "1"};
inline constexpr Word kAccountingStoreFlags[] = {
    "job_comment", "job_env", "job_extra", "job_script", "no_stdio"};
inline constexpr Word kAccountingStorageParameters[] = {
    "max_step_records=#", "SSL_CA=*", "SSL_CAPATH=*", "SSL_CERT=*", "SSL_CIPHER=*", "SSL_KEY=*"};
inline constexpr Word kPrivateData[] = {
    "accounts", "cloud", "events", "jobs", "nodes", "partitions", "reservations", "usage", "users"};
inline constexpr Word kJobAcctGatherParams[] = {
    "DisableGPUAcct", "NoShared", "OverMemoryKill", "UsePss"};
inline constexpr Word kDependencyParameters[] = {
    "disable_remote_singleton", "kill_invalid_depend", "max_depend_depth=#"};
inline constexpr Word kTopologyParam[] = {"BlockAsNodeRank",
                                          "Dragonfly",
                                          "RoutePart",
                                          "RouteTree",
                                          "SwitchAsNodeRank",
                                          "TopoMaxSizeUnroll=#",
                                          "TopoOptional"};
inline constexpr Word kReconfigFlags[] = {"KeepPartInfo", "KeepPartState", "KeepPowerSaveSettings"};
inline constexpr Word kScronParameters[] = {"enable", "explicit_scancel"};
inline constexpr Word kPrologFlags[] = {
    "Alloc", "Contain", "DeferBatch", "ForceRequeueOnFail", "NoHold", "RunInJob", "Serial", "X11"};
inline constexpr Word kDebugFlags[] = {
    "Accrue",         "Agent",         "AuditRPCs",    "AuditTLS",   "Backfill",     "BackfillMap",
    "BurstBuffer",    "Cgroup",        "ConMgr",       "CPU_Bind",   "CpuFrequency", "Data",
    "DB_ARCHIVE",     "DB_ASSOC",      "DB_EVENT",     "DB_JOB",     "DB_QOS",       "DB_QUERY",
    "DB_RESERVATION", "DB_RESOURCE",   "DB_STEP",      "DB_TRES",    "DB_USAGE",     "DB_WCKEY",
    "Dependency",     "Elasticsearch", "Energy",       "Federation", "Gang",         "GLOB_SILENCE",
    "Gres",           "Hetjob",        "Interconnect", "JAG",        "JobComp",      "JobContainer",
    "License",        "Metrics",       "MPI",          "Namespace",  "Network",      "NetworkRaw",
    "NO_CONF_HASH",   "NodeFeatures",  "Power",        "Priority",   "Profile",      "Protocol",
    "Reservation",    "Route",         "SACK",         "Script",     "SelectType",   "Steps",
    "Switch",         "TLS",           "TraceJobs",    "Triggers",   "WorkQueue"};
inline constexpr Word kSelectTypeParameters[] = {"CR_Core_Memory",
                                                 "CR_Core",
                                                 "CR_CPU",
                                                 "CR_CPU_Memory",
                                                 "CR_Socket",
                                                 "CR_Socket_Memory",
                                                 "CR_Memory",
                                                 "CR_ONE_TASK_PER_CORE",
                                                 "CR_CORE_DEFAULT_DIST_BLOCK",
                                                 "CR_LLN",
                                                 "CR_Pack_Nodes",
                                                 "LL_SHARED_GRES",
                                                 "MULTIPLE_SHARING_GRES_PJ",
                                                 "ENFORCE_BINDING_GRES",
                                                 "ONE_TASK_PER_SHARING_GRES"};
inline constexpr Word kTaskPluginParam[] = {"none",
                                            "cores",
                                            "sockets",
                                            "threads",
                                            "SlurmdOffSpec",
                                            "SlurmdSpecOverride",
                                            "OOMKillStep",
                                            "Verbose",
                                            "autobind=*"};
inline constexpr Word kHealthCheckNodeState[] = {
    "ALLOC", "ANY", "CYCLE", "IDLE", "MIXED", "NONDRAINED_IDLE", "START_ONLY"};
inline constexpr Word kPreemptMode[] = {
    "OFF", "CANCEL", "GANG", "REQUEUE", "SUSPEND", "WITHIN", "PRIORITY"};
inline constexpr Word kPartitionPreemptMode[] = {
    "OFF", "CANCEL", "REQUEUE", "SUSPEND", "WITHIN", "PRIORITY"};
inline constexpr Word kSuspendExcStates[] = {"CLOUD",
                                             "DOWN",
                                             "DRAIN",
                                             "DYNAMIC_FUTURE",
                                             "DYNAMIC_NORM",
                                             "FAIL",
                                             "INVALID_REG",
                                             "MAINTENANCE",
                                             "NOT_RESPONDING",
                                             "PLANNED",
                                             "RESERVED"};
inline constexpr Word kBcastParameters[] = {
    "Compression=*", "DestDir=*", "send_libs", "send_libs=*"};
inline constexpr Word kX11Parameters[] = {"home_xauthority"};
inline constexpr Word kLogTimeFormat[] = {
    "iso8601_ms", "iso8601", "rfc5424", "rfc5424_ms", "rfc3339", "clock", "short", "thread_id"};
inline constexpr Word kEnforcePartLimits[] = {"ALL", "ANY", "NO", "YES"};
inline constexpr Word kDebugLevel[] = {
    "info", "quiet", "fatal", "error", "verbose", "debug", "debug2", "debug3", "debug4", "debug5"};
inline constexpr Word kFederationParameters[] = {"fed_display"};
inline constexpr Word kUsageReset[] = {
    "NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "YEARLY"};
inline constexpr Word kCpuFreqDef[] = {
    "OnDemand", "Conservative", "Performance", "PowerSave", "SchedUtil", "UserSpace"};
inline constexpr Word kResourceLimits[] = {"NONE",
                                           "ALL",
                                           "AS",
                                           "CORE",
                                           "CPU",
                                           "DATA",
                                           "FSIZE",
                                           "MEMLOCK",
                                           "NOFILE",
                                           "NPROC",
                                           "RSS",
                                           "STACK"};
inline constexpr Word kGresTypes[] = {"gpu", "mps", "shard", "nic"};

// Plugins. A type `x/none` is built in.
inline constexpr Word kAccountingStorageType[] = {"accounting_storage/slurmdbd",
                                                  "accounting_storage/none"};
inline constexpr Word kAcctGatherEnergy[] = {"acct_gather_energy/none",
                                             "acct_gather_energy/gpu",
                                             "acct_gather_energy/ibmaem",
                                             "acct_gather_energy/ipmi",
                                             "acct_gather_energy/pm_counters",
                                             "acct_gather_energy/rapl",
                                             "acct_gather_energy/xcc"};
inline constexpr Word kAcctGatherFilesystem[] = {"acct_gather_filesystem/none",
                                                 "acct_gather_filesystem/lustre"};
inline constexpr Word kAcctGatherInterconnect[] = {"acct_gather_interconnect/none",
                                                   "acct_gather_interconnect/ofed",
                                                   "acct_gather_interconnect/sysfs"};
inline constexpr Word kAcctGatherProfile[] = {
    "acct_gather_profile/none", "acct_gather_profile/hdf5", "acct_gather_profile/influxdb"};
inline constexpr Word kAuthType[] = {"auth/slurm", "auth/munge"};
inline constexpr Word kAuthAltTypes[] = {"auth/jwt"};
inline constexpr Word kBurstBuffer[] = {
    "burst_buffer/none", "burst_buffer/datawarp", "burst_buffer/lua"};
inline constexpr Word kCertgen[] = {"certgen/script"};
inline constexpr Word kCertmgr[] = {"certmgr/script"};
inline constexpr Word kCliFilter[] = {"cli_filter/lua",
                                      "cli_filter/syslog",
                                      "cli_filter/user_defaults",
                                      "lua",
                                      "syslog",
                                      "user_defaults"};
inline constexpr Word kCredType[] = {"cred/slurm", "cred/munge"};
inline constexpr Word kHash[] = {"hash/k12", "hash/sha3"};
inline constexpr Word kHttpParser[] = {"http_parser/libhttp_parser", "http_parser/llhttp_parser"};
inline constexpr Word kJobAcctGather[] = {
    "jobacct_gather/linux", "jobacct_gather/none", "jobacct_gather/cgroup"};
inline constexpr Word kJobComp[] = {"jobcomp/none",
                                    "jobcomp/elasticsearch",
                                    "jobcomp/filetxt",
                                    "jobcomp/kafka",
                                    "jobcomp/lua",
                                    "jobcomp/mysql",
                                    "jobcomp/script"};
inline constexpr Word kJobSubmit[] = {"lua",
                                      "all_partitions",
                                      "defaults",
                                      "logging",
                                      "partition",
                                      "pbs",
                                      "require_timelimit",
                                      "throttle",
                                      "job_submit/all_partitions",
                                      "job_submit/defaults",
                                      "job_submit/logging",
                                      "job_submit/lua",
                                      "job_submit/partition",
                                      "job_submit/pbs",
                                      "job_submit/require_timelimit",
                                      "job_submit/throttle"};
inline constexpr Word kMcs[] = {"mcs/none", "mcs/account", "mcs/group", "mcs/label", "mcs/user"};
inline constexpr Word kMetrics[] = {"metrics/openmetrics"};
inline constexpr Word kMpiDefault[] = {
    "none", "pmi2", "pmix", "pmix_v3", "pmix_v4", "pmix_v5", "cray_shasta"};
inline constexpr Word kNamespace[] = {"namespace/linux", "namespace/tmpfs", "job_container/tmpfs"};
inline constexpr Word kNodeFeatures[] = {"node_features/helpers"};
inline constexpr Word kPreempt[] = {"preempt/none", "preempt/partition_prio", "preempt/qos"};
inline constexpr Word kPrep[] = {"prep/script"};
inline constexpr Word kPriority[] = {"priority/multifactor", "priority/basic"};
inline constexpr Word kProctrack[] = {"proctrack/linuxproc", "proctrack/cgroup", "proctrack/pgid"};
inline constexpr Word kSched[] = {"sched/backfill", "sched/builtin"};
inline constexpr Word kSelect[] = {"select/cons_tres"};  // dynamic nodes need it
inline constexpr Word kSiteFactor[] = {"site_factor/none", "site_factor/example"};
inline constexpr Word kSwitch[] = {"switch/none", "switch/hpe_slingshot", "switch/nvidia_imex"};
inline constexpr Word kTask[] = {"task/none", "task/affinity", "task/cgroup"};
inline constexpr Word kTls[] = {"tls/none", "tls/s2n"};
inline constexpr Word kTopology[] = {"topology/flat",
                                     "topology/default",
                                     "topology/tree",
                                     "topology/block",
                                     "topology/ring",
                                     "topology/torus3d"};
inline constexpr Word kUrlParser[] = {"url_parser/internal", "url_parser/libhttp_parser"};

// Partitions.
inline constexpr Word kPartitionState[] = {"UP", "DOWN", "DRAIN", "INACTIVE"};
inline constexpr Word kOverSubscribe[] = {"NO", "YES", "EXCLUSIVE", "FORCE"};
inline constexpr Word kCpuBind[] = {"none", "socket", "ldom", "core", "thread", "off"};

// cgroup.conf, slurmdbd.conf, gres.conf.
inline constexpr Word kCgroupPlugin[] = {"autodetect", "cgroup/v1", "cgroup/v2", "disabled"};
inline constexpr Word kStorageType[] = {"accounting_storage/mysql"};
inline constexpr Word kAutoDetect[] = {"off", "nrt", "nvidia", "nvml", "oneapi", "rsmi"};
inline constexpr Word kGresFlags[] = {"CountOnly",
                                      "explicit",
                                      "nvidia_gpu_env",
                                      "amd_gpu_env",
                                      "intel_gpu_env",
                                      "no_gpu_env",
                                      "one_sharing",
                                      "all_sharing"};

}  // namespace slurmop::conf::words
