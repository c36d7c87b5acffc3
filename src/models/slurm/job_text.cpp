// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/job_text.h"

#include "models/slurm/api_versions.h"
#include "models/slurm/constants.h"
#include "models/slurm/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace models::slurm {
namespace {

template <class Names>
std::string hostlist(const Names& names) {
  if (names.empty()) return "";
  if (names.size() == 1) return *names.begin();
  const std::vector<std::string> list(names.begin(), names.end());
  const auto text = compress_hostlist(list);
  return text.ok() ? *text : "";
}

// A number that is equal for equal names.
std::int64_t id_of(std::string_view user) {
  if (user == "root") return 0;
  return user == "slurm"
             ? 64030
             : 2001 + static_cast<std::int64_t>(std::hash<std::string_view>()(user) % 1000);
}

Tres tres_asked(const SlurmJob& job, const JobSeen& seen) {
  Tres tres;
  tres.nodes = job.node_count;
  tres.cpus = job.tasks > 0 ? std::max<std::uint64_t>(std::uint64_t{job.tasks} * job.cpus_per_task,
                                                      tres.nodes)
                            : std::uint64_t{job.cpus} * tres.nodes;
  std::uint64_t memory = job.memory_mb;
  if (memory == 0 && !seen.nodes->empty()) memory = seen.nodes->begin()->second.memory_mb;
  tres.memory_mb = memory * tres.nodes;
  for (const auto& [name, count] : job.gres) {
    // A type that no node has is not a TRES.
    const bool known =
        !name.contains(':') || std::ranges::any_of(*seen.nodes, [&](const auto& node) {
          return node.second.gres.contains(name);
        });
    tres.gres[known ? name : name.substr(0, name.find(':'))] += count * tres.nodes;
  }
  return tres;
}

Tres tres_held(const SlurmJob& job) {
  Tres tres;
  tres.nodes = static_cast<std::uint32_t>(job.allocation.size());
  for (const SlurmAllocation& held : job.allocation) {
    tres.cpus += held.cores.size();
    tres.memory_mb += held.memory_mb;
    for (const auto& [name, count] : held.gres) tres.gres[name] += count;
  }
  return tres;
}

void write_flags(SlurmText& out, const SlurmJob& job) {
  const bool ran = !job.allocation.empty();
  out.begin_array("flags");
  if (job.asked_tasks) out.element("EXACT_TASK_COUNT_REQUESTED");
  if (ran || !job.live()) out.element("ACCRUE_COUNT_CLEARED");
  if (job.on_nodes()) out.element("JOB_WAS_RUNNING");
  if (job.memory_mb > 0) out.element("EXACT_MEMORY_REQUESTED");
  if (job.external) out.element("EXTERNAL_JOB");
  if (!job.asked_account) out.element("USING_DEFAULT_ACCOUNT");
  if (!job.asked_qos) out.element("USING_DEFAULT_QOS");
  out.element("USING_DEFAULT_WCKEY");
  if (job.held) out.element("DEPENDENT");
  if (job.max_nodes == 0) out.element("JOB_IMPLICIT_MAX_NODES");
  out.end_array();
}

void write_exit(SlurmText& out, std::string_view key, bool signaled) {
  constexpr std::string_view kSuccess =
      R"({"status":["SUCCESS"],"return_code":{"set":true,"infinite":false,"number":0},)"
      R"("signal":{"id":{"set":false,"infinite":false,"number":0},"name":""}})";
  constexpr std::string_view kHangUp =
      R"({"status":["SIGNALED"],"return_code":{"set":false,"infinite":false,"number":0},)"
      R"("signal":{"id":{"set":true,"infinite":false,"number":1},"name":"HUP"}})";
  out.raw(key, signaled ? kHangUp : kSuccess);
}

void write_gres_detail(SlurmText& out, const SlurmJob& job) {
  out.begin_array("gres_detail");
  for (const SlurmAllocation& held : job.allocation) {
    std::string text;
    for (const auto& [name, count] : held.gres) {
      if (!text.empty()) text += ',';
      const auto index = held.gres_index.find(name);
      text += index == held.gres_index.end()
                  ? fmt::format("{}(CNT:{})", name, count)
                  : fmt::format("{}:{}(IDX:{})", name, count, ranges(index->second));
    }
    if (!text.empty()) out.element(text);
  }
  out.end_array();
}

void write_sockets(SlurmText& out, const SlurmAllocation& held, const SlurmNode& node) {
  const std::uint32_t cores = node.cpus / node.sockets;
  out.begin_array("sockets");
  for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
    out.begin_object();
    out.number("index", socket);
    out.begin_array("cores");
    for (std::uint32_t core = 0; core < cores; ++core) {
      const bool taken = std::ranges::binary_search(held.cores, socket * cores + core);
      out.begin_object();
      out.number("index", core);
      out.raw("status", taken ? R"(["ALLOCATED"])" : R"(["UNALLOCATED"])");
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

void write_allocation(SlurmText& out, const SlurmJob& job, const JobSeen& seen) {
  out.begin_array("allocation");
  for (std::size_t i = 0; i < job.allocation.size(); ++i) {
    const SlurmAllocation& held = job.allocation[i];
    out.begin_object();
    out.number("index", static_cast<std::int64_t>(i));
    out.text("name", held.node);
    out.begin_object("cpus");
    out.number("count", static_cast<std::int64_t>(held.cores.size()));
    out.number("used", 0);
    out.end_object();
    out.begin_object("memory");
    out.number("used", 0);
    out.number("allocated", static_cast<std::int64_t>(held.memory_mb));
    out.end_object();
    if (const auto node = seen.nodes->find(held.node); node != seen.nodes->end()) {
      write_sockets(out, held, node->second);
    }
    out.end_object();
  }
  out.end_array();
}

void write_job_resources(SlurmText& out, const SlurmJob& job, const JobSeen& seen) {
  if (!seen.detail || job.allocation.empty()) {
    out.raw("job_resources", "null");
    return;
  }
  out.begin_object("job_resources");
  out.raw("select_type", seen.version >= kApi45 ? R"(["CR_CORE_MEMORY"])" : R"(["CORE"])");
  out.number("cpus", static_cast<std::int64_t>(tres_held(job).cpus));
  out.unset("threads_per_core");
  out.begin_object("nodes");
  out.number("count", static_cast<std::int64_t>(job.nodes.size()));
  out.raw("select_type", R"(["ONE_ROW"])");
  out.text("list", hostlist(job.nodes));
  out.boolean("whole", job.exclusive);
  write_allocation(out, job, seen);
  out.end_object();
  out.end_object();
}

void write_text_fields(SlurmText& out, const SlurmJob& job, const JobSeen& seen) {
  out.number("job_id", job.id);
  write_state(out, "job_state", job);
  out.text("state_reason", job.reason);
  out.text("state_description", job.description);
  out.text("name", job.name);
  out.text("partition", job.partition);
  out.text("account", job.account);
  out.text("qos", job.qos);
  out.text("user_name", job.user);
  out.number("user_id", id_of(job.user));
  out.text("group_name", job.group.empty() ? job.user : job.group);
  out.number("group_id", id_of(job.group.empty() ? job.user : job.group));
  out.text("mail_user", job.user);
  out.text("admin_comment", job.admin_comment);
  out.text("comment", job.comment);
  out.text("extra", job.extra);
  out.text("features", job.features);
  out.text("mcs_label", job.mcs_label);
  out.text("resv_name", job.reservation);
  out.text("failed_node", job.failed_node);
  out.text("cluster", seen.cluster);
  write_flags(out, job);
  write_exit(out, "exit_code", job.state == "NODE_FAIL" || job.state == "FAILED");
  write_exit(out, "derived_exit_code", false);
}

void write_size(SlurmText& out, const SlurmJob& job, const JobSeen& seen) {
  const bool ran = !job.allocation.empty();
  const Tres asked = tres_asked(job, seen);
  const Tres held = tres_held(job);
  out.set("cpus", static_cast<std::int64_t>(ran ? held.cpus : asked.cpus));
  out.set("node_count", ran ? held.nodes : asked.nodes);
  out.set("max_nodes", ran ? 0 : std::max(job.max_nodes, job.node_count));
  out.set("tasks", std::max(job.tasks, 1U));
  out.set("cpus_per_task", job.cpus_per_task);
  out.set("minimum_cpus_per_node", job.tasks > 0 ? job.cpus_per_task : job.cpus);
  out.set("memory_per_node", static_cast<std::int64_t>(job.memory_mb));
  out.text("tres_per_node", job.tres_per_node);
  out.text("tres_req_str", tres_text(asked));
  out.text("tres_alloc_str", ran ? tres_text(held) : "");
  out.raw("billable_tres",
          ran ? fmt::format(R"({{"set":true,"infinite":false,"number":{}.0}})", held.cpus)
              : R"({"set":false,"infinite":false,"number":0.0})");
  out.raw("shared", job.exclusive ? R"(["none"])" : "[]");
  out.text("nodes", hostlist(job.nodes));
  out.text("batch_host", ran ? job.nodes.front() : "");
  out.text("excluded_nodes", hostlist(job.excluded));
  out.text("required_nodes", hostlist(job.required));
  if (seen.detail) {
    write_gres_detail(out, job);
  } else {
    out.raw("gres_detail", "[]");
  }
  write_job_resources(out, job, seen);
}

void write_times(SlurmText& out, const SlurmJob& job) {
  out.boolean("hold", job.held);
  out.set("priority", job.held ? 0 : job.priority);
  out.set("submit_time", job.submit_time);
  out.set("accrue_time", job.held ? 0 : job.submit_time);
  out.set("eligible_time", job.held ? 0 : job.submit_time);
  out.set("last_sched_evaluation", job.submit_time);
  out.set("start_time", job.start_time);
  out.set("end_time", job.end_time);
  out.set("preempt_time", job.preempt_time);
  out.set("preemptable_time", job.allocation.empty() ? 0 : job.start_time);
  if (job.limit_minutes) {
    out.set("time_limit", *job.limit_minutes);
  } else {
    out.infinite("time_limit");
  }
}

void write_step_id(SlurmText& out, const SlurmJob& job) {
  out.begin_object("step_id");
  out.text("sluid", fmt::format("s{:013d}", job.id));
  out.set("job_id", job.id);
  out.unset("step_het_component");
  out.text("step_id", "entire");
  out.end_object();
}

// "0x00030003": one bit per core, the last core first.
std::string core_bitmap(const SlurmAllocation& held, const SlurmNode& node) {
  std::string digits((node.cpus + 3) / 4, '0');
  for (const std::uint32_t core : held.cores) {
    char& digit = digits[digits.size() - 1 - core / 4];
    const int value = (digit <= '9' ? digit - '0' : digit - 'A' + 10) | (1 << (core % 4));
    digit = "0123456789ABCDEF"[value];
  }
  return "0x" + digits;
}

}  // namespace

void write_state(SlurmText& out, std::string_view key, const SlurmJob& job) {
  out.begin_array(key);
  out.element(job.state);
  if (job.grace_ends && job.on_nodes()) out.element("SIGNALING");
  out.end_array();
}

void write_job(SlurmText& out, const SlurmJob& job, const JobSeen& seen) {
  out.begin_object();
  write_text_fields(out, job, seen);
  write_size(out, job, seen);
  write_times(out, job);
  out.members(kJobConstants);
  if (seen.version >= kApi44) {
    write_step_id(out, job);
    out.text("submit_line", "");
  }
  if (seen.version >= kApi45) {
    out.members(R"("container_type":"","memory_update_delay":0,"memory_update_margin":0)");
  } else {
    out.members(R"("power":{"flags":[]})");
  }
  out.end_object();
}

void write_resources(SlurmText& out,
                     const SlurmJob& job,
                     const std::map<std::string, SlurmNode>& nodes) {
  out.begin_array("nodes");
  for (const SlurmAllocation& held : job.allocation) {
    const SlurmNode& node = nodes.at(held.node);
    out.begin_object();
    out.text("node", held.node);
    out.number("sockets_per_node", node.sockets);
    out.number("cores_per_socket", node.cpus / node.sockets);
    out.number("mem_alloc", static_cast<std::int64_t>(held.memory_mb));
    out.text("core_bitmap", core_bitmap(held, node));
    out.unset("channel");
    out.begin_array("gres");
    for (const auto& [name, count] : held.gres) {
      const std::size_t colon = std::min(name.find(':'), name.size());
      const auto index = held.gres_index.find(name);
      out.begin_object();
      out.text("name", name.substr(0, colon));
      out.text("type", name.substr(std::min(colon + 1, name.size())));
      out.number("count", count);
      if (index == held.gres_index.end()) {
        out.raw("index", "null");
      } else {
        out.text("index", ranges(index->second));
      }
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

}  // namespace models::slurm
