// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/slurm_conf.h"

#include "base/ascii.h"
#include "operator/conf/key_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;

using Pairs = std::vector<std::pair<std::string_view, std::string>>;

constexpr KeySpec kHost = {.name = "SlurmctldHost", .form = Form::host};

// SlurmctldHost has the form name(address); both parts are checked on their own.
void set_controllers(Draft& draft, const SlurmConf& input) {
  if (input.controllers.empty()) draft.fail({Kind::invalid, "there is no controller"});
  for (const ControllerHost& controller : input.controllers) {
    for (const std::string& part : {controller.name, controller.address}) {
      auto checked = check(kHost, part);
      if (!checked.ok()) draft.fail(std::move(checked).error().in(kHost.name));
    }
    draft.set("SlurmctldHost", fmt::format("{}({})", controller.name, controller.address));
  }
}

// A path inside a longer value, such as jwt_key=/path,...: a comma would start another option.
std::string path_in_value(Draft& draft, std::string_view what, const std::string& path) {
  const KeySpec spec{.name = what, .form = Form::path};
  auto checked = check(spec, path);
  if (!checked.ok()) draft.fail(std::move(checked).error().in(what));
  return path;
}

void set_authentication(Draft& draft, const SlurmConf& input) {
  draft.comment("Authentication");
  const bool munge = input.auth == AuthMode::munge;
  draft.set("AuthType", munge ? "auth/munge" : "auth/slurm");
  draft.set("CredType", munge ? "cred/munge" : "cred/slurm");
  if (munge && !input.places.munge_socket.empty()) {
    draft.set("AuthInfo",
              "socket=" + path_in_value(draft, "munge socket", input.places.munge_socket));
  }
  draft.set("AuthAltTypes", "auth/jwt");
  draft.set("AuthAltParameters",
            "jwt_key=" + path_in_value(draft, "JWT key", input.places.jwt_key));
}

void set_processes(Draft& draft, const SlurmConf& input) {
  draft.comment("Processes of jobs");
  const bool cgroup = input.tracking == ProcessTracking::cgroup;
  draft.set("ProctrackType", cgroup ? "proctrack/cgroup" : "proctrack/linuxproc");
  draft.set("TaskPlugin", cgroup ? "task/cgroup,task/affinity" : "task/none");
  draft.set("JobAcctGatherType", cgroup ? "jobacct_gather/cgroup" : "jobacct_gather/linux");
  draft.set("MpiDefault", "none");
  draft.set("SwitchType", "switch/none");
  // A pod sees the whole machine: the numbers that the worker registers count.
  draft.set("SlurmdParameters", "config_overrides");
  const Programs& programs = input.programs;
  for (const std::string& path : programs.prolog) draft.set("Prolog", path);
  for (const std::string& path : programs.epilog) draft.set("Epilog", path);
  for (const std::string& path : programs.prolog_slurmctld) draft.set("PrologSlurmctld", path);
  for (const std::string& path : programs.epilog_slurmctld) draft.set("EpilogSlurmctld", path);
  if (!input.places.plugstack_conf.empty()) {
    draft.set("PlugStackConfig", input.places.plugstack_conf);
  }
  if (input.health_check) {
    draft.set("HealthCheckProgram", input.health_check->program);
    const std::uint32_t interval = input.health_check->interval_seconds;
    draft.set("HealthCheckInterval", interval);
    // Slurm's default timeout is 60 and must be shorter than the interval.
    if (interval > 1 && interval <= 60) draft.set("HealthCheckTimeout", interval - 1);
    draft.set("HealthCheckNodeState",
              fmt::format("{}", fmt::join(input.health_check->node_states, ",")));
  }
}

void set_ports(Draft& draft, const SlurmConf& input) {
  draft.set("SlurmUser", input.slurm_user);
  draft.set("SlurmctldPort", input.slurmctld_port);
  draft.set("SlurmdPort", input.slurmd_port);
}

void set_daemons(Draft& draft, const SlurmConf& input) {
  draft.comment("Daemons");
  set_ports(draft, input);
  std::string parameters = "enable_configless";
  for (const std::string& one : input.slurmctld_parameters) parameters.append(",").append(one);
  draft.set("SlurmctldParameters", parameters);
  draft.set("StateSaveLocation", input.places.state);
  draft.set("SlurmdSpoolDir", input.places.slurmd_spool);
  draft.set("SlurmctldPidFile", input.places.slurmctld_pid);
  draft.set("SlurmdPidFile", input.places.slurmd_pid);
  draft.set("SlurmctldDebug", "info");
  draft.set("SlurmdDebug", "info");
  // A replaced worker stays DOWN until the operator resumes it, and an administrator's DOWN is kept.
  draft.set("ReturnToService", 1);
  draft.set("SlurmctldTimeout", input.timeouts.slurmctld);
  draft.set("SlurmdTimeout", input.timeouts.slurmd);
  draft.set("MessageTimeout", input.timeouts.message);
  draft.set("TCPTimeout", input.timeouts.tcp);
  draft.set("KillWait", input.timeouts.kill_wait);
  draft.set("MailProg", "/usr/bin/true");  // the image has no mail program
}

void set_scheduling(Draft& draft, const SlurmConf& input) {
  draft.comment("Scheduling");
  draft.set("SchedulerType", "sched/backfill");
  draft.set("SelectType", "select/cons_tres");
  draft.set("SelectTypeParameters", "CR_Core_Memory");
  if (input.has_gpus) draft.set("GresTypes", "gpu");
}

void set_accounting(Draft& draft, const SlurmConf& input) {
  draft.comment("Accounting");
  if (!input.accounting) {
    draft.set("AccountingStorageType", "accounting_storage/none");
    return;
  }
  draft.set("AccountingStorageType", "accounting_storage/slurmdbd");
  draft.set("AccountingStorageHost", input.accounting->host);
  draft.set("AccountingStoragePort", input.accounting->port);
  if (input.has_gpus) draft.set("AccountingStorageTRES", "gres/gpu");
}

void set_partition(Draft& draft, const Partition& partition) {
  auto options = check_partition_options(partition.options);
  if (!options.ok()) {
    draft.fail(std::move(options).error().in(fmt::format("partition {}", partition.name)));
    return;
  }
  Pairs pairs = {{"PartitionName", partition.name}};
  const std::string nodes = partition.node_sets.empty()
                                ? std::string("ALL")
                                : fmt::format("{}", fmt::join(partition.node_sets, ","));
  pairs.emplace_back("Nodes", nodes);
  if (partition.is_default) pairs.emplace_back("Default", "YES");
  const auto sets = [&options](std::string_view key) {
    return std::ranges::any_of(*options, [&](const Pair& pair) {
      return base::ascii_lower(pair.key.text()) == base::ascii_lower(key);
    });
  };
  if (partition.is_default && sets("Default")) {
    draft.fail({Kind::invalid, fmt::format("partition {}: Default is set twice", partition.name)});
  }
  if (!sets("State")) pairs.emplace_back("State", "UP");
  draft.set_line(partition_keys(), pairs, *options);
}

bool is_default(const Partition& partition) {
  const auto options = check_partition_options(partition.options);
  return partition.is_default || (options.ok() && sets_default(*options));
}

// Slurm refuses to start with a partition that names an unknown NodeSet, and accepts a NodeSet
// that is defined twice.
void check_names(Draft& draft, const SlurmConf& input) {
  std::set<std::string> node_sets;
  for (const NodeGroup& group : input.node_sets) {
    if (!node_sets.insert(group.name).second) {
      draft.fail({Kind::invalid, fmt::format("NodeSet {} is defined twice", group.name)});
    }
  }
  std::set<std::string> partitions;
  bool has_default = false;
  for (const Partition& partition : input.partitions) {
    if (!partitions.insert(partition.name).second) {
      draft.fail({Kind::invalid, fmt::format("partition {} is defined twice", partition.name)});
    }
    for (const std::string& name : partition.node_sets) {
      if (node_sets.contains(name)) continue;
      draft.fail({Kind::invalid,
                  fmt::format("partition {}: there is no NodeSet {}", partition.name, name)});
    }
    if (is_default(partition) && std::exchange(has_default, true)) {
      draft.fail({Kind::invalid, "two partitions are the default"});
    }
  }
}

void set_nodes(Draft& draft, const SlurmConf& input) {
  draft.comment(
      "Nodes and partitions; nodes register themselves with the feature of their NodeSet");
  check_names(draft, input);
  draft.set("MaxNodeCount", input.most_nodes);
  for (const NodeGroup& group : input.node_sets) {
    const Pairs pairs = {{"NodeSet", group.name}, {"Feature", group.feature}};
    draft.set_line(node_set_keys(), pairs);
  }
  for (const Partition& partition : input.partitions) set_partition(draft, partition);
  for (const Line& line : input.partition_lines.lines) draft.add(line);
}

}  // namespace

Surrounding surrounding_of(const SlurmConf& input) {
  Surrounding around{.tracking = input.tracking};
  for (const NodeGroup& group : input.node_sets) around.node_sets.insert(group.name);
  for (const Partition& partition : input.partitions) {
    around.partitions.insert(partition.name);
    around.has_default_partition |= is_default(partition);
  }
  around.add(input.partition_lines);
  return around;
}

base::Result<File> render_slurm_conf(const SlurmConf& input) {
  Draft draft(slurm_keys());
  draft.use(input.settings);
  draft.use(input.custom);
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  draft.set("ClusterName", input.cluster_name);
  set_controllers(draft, input);
  set_daemons(draft, input);
  set_authentication(draft, input);
  set_processes(draft, input);
  set_scheduling(draft, input);
  set_accounting(draft, input);
  draft.rest_of_settings();
  set_nodes(draft, input);
  if (!input.custom.lines.empty()) draft.comment("spec.customSlurmConfig");
  draft.custom_lines();
  return draft.finish("slurm.conf");
}

base::Result<File> render_client_conf(const SlurmConf& input) {
  Draft draft(slurm_keys());
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  draft.set("ClusterName", input.cluster_name);
  set_controllers(draft, input);
  set_ports(draft, input);
  set_authentication(draft, input);
  set_accounting(draft, input);
  return draft.finish("slurm.conf");
}

}  // namespace slurmop::conf
