// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Members of slurmrestd's records that are constant in the model: features that the model does not
// have. Recorded from 26.05.5, without the braces.
namespace models::slurm {

inline constexpr std::string_view kJobConstants =
    R"("allocating_node":"localhost","array_job_id":{"set":true,"infinite":false,"number":0},)"
    R"("array_task_id":{"set":false,"infinite":false,"number":0},)"
    R"("array_max_tasks":{"set":true,"infinite":false,"number":0},"array_task_string":"",)"
    R"("association_id":8,"batch_features":"","batch_flag":false,"burst_buffer":"",)"
    R"("burst_buffer_state":"","cluster_features":"","command":"","container":"","container_id":"",)"
    R"("contiguous":false,"core_spec":0,"thread_spec":32766,)"
    R"("cores_per_socket":{"set":false,"infinite":false,"number":0},)"
    R"("cpu_frequency_minimum":{"set":false,"infinite":false,"number":0},)"
    R"("cpu_frequency_maximum":{"set":false,"infinite":false,"number":0},)"
    R"("cpu_frequency_governor":{"set":false,"infinite":false,"number":0},"cpus_per_tres":"",)"
    R"("cron":"","deadline":{"set":true,"infinite":false,"number":0},)"
    R"("delay_boot":{"set":true,"infinite":false,"number":0},"dependency":"","federation_origin":"",)"
    R"("federation_siblings_active":"","federation_siblings_viable":"",)"
    R"("het_job_id":{"set":true,"infinite":false,"number":0},"het_job_id_set":"",)"
    R"("het_job_offset":{"set":true,"infinite":false,"number":0},"job_size_str":[],"licenses":"",)"
    R"("licenses_allocated":"","mail_type":[],"max_cpus":{"set":true,"infinite":false,"number":0},)"
    R"("memory_per_tres":"","network":"","nice":0,)"
    R"("tasks_per_core":{"set":false,"infinite":true,"number":0},)"
    R"("tasks_per_tres":{"set":true,"infinite":false,"number":0},)"
    R"("tasks_per_node":{"set":true,"infinite":false,"number":0},)"
    R"("tasks_per_socket":{"set":false,"infinite":true,"number":0},)"
    R"("tasks_per_board":{"set":true,"infinite":false,"number":0},"prefer":"",)"
    R"("memory_per_cpu":{"set":false,"infinite":false,"number":0},)"
    R"("minimum_tmp_disk_per_node":{"set":true,"infinite":false,"number":0},)"
    R"("pre_sus_time":{"set":true,"infinite":false,"number":0},"priority_by_partition":[],)"
    R"("profile":["NOT_SET"],"reboot":false,"required_switches":0,"requeue":true,)"
    R"("resize_time":{"set":true,"infinite":false,"number":0},"restart_cnt":0,)"
    R"("scheduled_nodes":"","segment_size":0,"selinux_context":"","sockets_per_board":0,)"
    R"("sockets_per_node":{"set":false,"infinite":false,"number":0},"standard_input":"",)"
    R"("standard_output":"","standard_error":"","stdin_expanded":"","stdout_expanded":"",)"
    R"("stderr_expanded":"","suspend_time":{"set":true,"infinite":false,"number":0},)"
    R"("system_comment":"","time_minimum":{"set":true,"infinite":false,"number":0},)"
    R"("threads_per_core":{"set":false,"infinite":false,"number":0},"tres_bind":"","tres_freq":"",)"
    R"("tres_per_job":"","tres_per_socket":"","tres_per_task":"","maximum_switch_wait_time":0,)"
    R"("wckey":"","current_working_directory":"")";

inline constexpr std::string_view kNodeConstants =
    R"("architecture":"","burstbuffer_network_address":"","boards":1,)"
    R"("boot_time":{"set":true,"infinite":false,"number":0},)"
    R"("tls_cert_last_renewal":{"set":true,"infinite":false,"number":0},"cert_flags":[],)"
    R"("cluster_name":"","specialized_cores":0,"cpu_binding":0,"cpu_load":0,)"
    R"("free_mem":{"set":false,"infinite":false,"number":0},"specialized_cpus":"",)"
    R"("energy":{"average_watts":0,"base_consumed_energy":0,"consumed_energy":0,"current_watts":{"set)"
    R"(":true,"infinite":false,"number":0},"previous_consumed_energy":0,"last_collected":0},)"
    R"("gpu_spec":"","gres_drained":"N/A","instance_id":"","instance_type":"",)"
    R"("last_busy":{"set":true,"infinite":false,"number":0},"mcs_label":"","specialized_memory":0,)"
    R"("next_state_after_reboot":["INVALID"],"address":"127.0.0.1","operating_system":"","owner":"",)"
    R"("port":27001,"res_cores_per_gpu":0,"resume_after":{"set":true,"infinite":false,"number":0},)"
    R"("reservation":"","slurmd_start_time":{"set":true,"infinite":false,"number":0},"threads":1,)"
    R"("temporary_disk":0,"weight":1,"topology":"","version":"")";

inline constexpr std::string_view kPartitionConstants =
    R"("accounts":{"allowed":"","deny":""},"groups":{"allowed":""},)"
    R"("qos":{"allowed":"","deny":"","assigned":""},"alternate":"","cluster":"",)"
    R"("defaults":{"memory_per_cpu":0,"partition_memory_per_cpu":{"set":false,"infinite":false,"numbe)"
    R"(r":0},"partition_memory_per_node":{"set":true,"infinite":false,"number":0},"time":{"set":false)"
    R"(,"infinite":false,"number":0},"job":""},"grace_time":0,"minimums":{"nodes":0},"node_sets":"",)"
    R"("priority":{"job_factor":1,"tier":1},)"
    R"("timeouts":{"resume":{"set":false,"infinite":false,"number":0},"suspend":{"set":false,"infinit)"
    R"(e":false,"number":0}},"topology":"","suspend_time":{"set":false,"infinite":false,"number":0})";

inline constexpr std::string_view kPartitionMaximums =  // all except time and sharing
    R"("cpus_per_node":{"set":false,"infinite":true,"number":0},)"
    R"("cpus_per_socket":{"set":false,"infinite":true,"number":0},"memory_per_cpu":0,)"
    R"("partition_memory_per_cpu":{"set":false,"infinite":false,"number":0},)"
    R"("partition_memory_per_node":{"set":true,"infinite":false,"number":0},)"
    R"("nodes":{"set":false,"infinite":true,"number":0},)"
    R"("over_time_limit":{"set":false,"infinite":false,"number":0})";

}  // namespace models::slurm
