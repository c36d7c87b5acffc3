// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/api_versions.h"
#include "models/slurm/call.h"
#include "models/slurm/cluster.h"
#include "models/slurm/constants.h"
#include "models/slurm/hosts.h"
#include "models/slurm/job_text.h"

#include <fmt/format.h>

namespace models::slurm {
namespace {

void write_states(SlurmText& out, const SlurmHost& host, std::string_view version) {
  const SlurmNode& node = *host.node;
  out.begin_array("state");
  if (node.down) {
    out.element("DOWN");
  } else if (host.use.idle()) {
    out.element("IDLE");
  } else {
    out.element(host.use.cpus() >= node.cpus ? "ALLOCATED" : "MIXED");
  }
  if (node.external && version >= kApi44) out.element("EXTERNAL");
  if (node.drained) out.element("DRAIN");
  if (node.not_responding) out.element("NOT_RESPONDING");
  if (node.dynamic) out.element("DYNAMIC_NORM");
  out.end_array();
}

// "gpu:a100:2", with indices where there are some; includes zeros.
std::string gres_used(const SlurmHost& host) {
  std::string text;
  for (const auto& [name, total] : host.node->gres) {
    const auto used = host.use.gres().find(name);
    const std::uint32_t count = used == host.use.gres().end() ? 0 : used->second;
    if (!text.empty()) text += ',';
    text += fmt::format("{}:{}", name, count);
    if (!host.node->dynamic) continue;
    std::vector<std::uint32_t> taken;
    if (const auto index = host.use.gres_index().find(name); index != host.use.gres_index().end()) {
      for (std::uint32_t i = 0; i < index->second.size(); ++i) {
        if (index->second[i]) taken.push_back(i);
      }
    }
    text += fmt::format("(IDX:{})", taken.empty() ? "N/A" : ranges(taken));
  }
  return text;
}

std::string tres_used(const NodeUse& use) {
  if (use.idle()) return "";
  return tres_text({use.cpus(), use.memory_mb(), 0, false, use.gres()});
}

template <class Texts>
void write_texts(SlurmText& out, std::string_view key, const Texts& texts) {
  out.begin_array(key);
  for (const std::string& text : texts) out.element(text);
  out.end_array();
}

}  // namespace

void SlurmCluster::write_node(SlurmText& out,
                              const SlurmHost& host,
                              std::string_view version) const {
  const SlurmNode& node = *host.node;
  out.begin_object();
  out.text("name", node.name);
  out.text("hostname", node.name);
  write_states(out, host, version);
  out.text("reason", node.reason);
  out.text("reason_set_by_user", node.reason_set_by);
  out.set("reason_changed_at", node.reason_set_at);
  out.text("comment", node.comment);
  out.text("extra", node.extra);
  write_texts(out, "features", node.features);
  write_texts(out, "active_features", node.features);
  write_texts(out, "partitions", partitions_of(node.name));
  out.number("cpus", node.cpus);
  out.number("effective_cpus", node.cpus);
  out.number("sockets", node.sockets);
  out.number("cores", node.cpus / node.sockets);
  out.number("real_memory", static_cast<std::int64_t>(node.memory_mb));
  out.text("gres", gres_text(node.gres));
  out.text("gres_used", gres_used(host));
  out.number("alloc_cpus", host.use.cpus());
  out.number("alloc_idle_cpus", std::int64_t{node.cpus} - host.use.cpus());
  out.number("alloc_memory", static_cast<std::int64_t>(host.use.memory_mb()));
  out.text("tres", tres_text({node.cpus, node.memory_mb, 0, true, node.gres}));
  out.text("tres_used", tres_used(host.use));
  out.members(kNodeConstants);
  if (version >= kApi45) {
    out.infinite("suspend_time");
  } else {
    out.members(R"("external_sensors":{},"power":{},"tres_weighted":0.0)");
  }
  out.end_object();
}

net::http::Response SlurmCluster::list_partitions(const SlurmCall& call) const {
  const bool newest = call.version >= kApi45;
  std::string payload;
  SlurmText out(payload);
  out.begin_array("partitions");
  for (const SlurmPartition& partition : options_.partitions) {
    std::vector<std::string> names;
    Tres total;
    for (const SlurmHost* host : hosts_of(partition.name)) {
      names.push_back(host->node->name);
      ++total.nodes;
      total.cpus += host->node->cpus;
      total.memory_mb += host->node->memory_mb;
      for (const auto& [name, count] : host->node->gres) total.gres[name] += count;
    }
    const auto list = compress_hostlist(names);
    out.begin_object();
    out.text("name", partition.name);
    out.begin_object("nodes");
    out.text("allowed_allocation", "");
    out.text("configured", list.ok() ? *list : "");
    out.number("total", total.nodes);
    out.end_object();
    out.begin_object("tres");
    out.text("billing_weights", "");
    out.text("configured", tres_text(total));
    out.end_object();
    out.begin_object("cpus");
    out.raw("task_binding", newest ? "[]" : "0");
    out.number("total", static_cast<std::int64_t>(total.cpus));
    out.end_object();
    out.begin_object("maximums");
    out.members(kPartitionMaximums);
    out.number("shares", newest ? 0 : 1);
    out.raw("oversubscribe", newest ? R"({"jobs":0,"flags":[]})" : R"({"jobs":1,"flags":[]})");
    if (partition.max_minutes) {
      out.set("time", *partition.max_minutes);
    } else {
      out.infinite("time");
    }
    out.end_object();
    if (newest) {
      const bool first = &partition == &options_.partitions.front();
      out.raw("flags", first ? R"(["DEFAULT"])" : "[]");
      out.members(R"("select_type":["NONE"],"preempt_mode":["CLUSTER_GLOBAL"])");
      out.raw("partition", R"({"exclusive":"NO","oversubscribe":"NO","state":["UP"]})");
    } else {
      out.raw("select_type", "[]");
      out.raw("partition", R"({"state":["UP"]})");
    }
    out.members(kPartitionConstants);
    out.end_object();
  }
  out.end_array();
  out.set("last_update", wall());
  payload += ',';
  return answer(call, 200, payload);
}

}  // namespace models::slurm
