// SPDX-License-Identifier: Apache-2.0
#include "operator/api/validate.h"

#include "base/nearest.h"
#include "base/quote.h"
#include "json/node.h"
#include "operator/api/field_walk.h"
#include "operator/api/generated/field_table.h"
#include "operator/api/generated/slurm_cluster.h"
#include "operator/api/validate_configuration.h"
#include "operator/api/validate_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace slurmop::api {

namespace {

constexpr std::string_view kPartitions = "spec.partitionConfiguration.partitions";
// Accounts of the images, which come first: a user with such a name would log in as that account.
constexpr std::array<std::string_view, 23> kSystemAccounts = {
    "_apt",  "backup",    "bin",   "daemon", "games", "irc",    "list",    "lp",
    "mail",  "man",       "munge", "mysql",  "news",  "nobody", "proxy",   "root",
    "slurm", "slurmrest", "sshd",  "sync",   "sys",   "uucp",   "www-data"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <class Items>
std::vector<std::string_view> names_of(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::string unknown_name(std::string_view what,
                         std::string_view name,
                         std::string_view list,
                         std::span<const std::string_view> known) {
  std::string text = fmt::format("there is no {} {} in {}", what, base::quoted(name), list);
  if (const auto similar = base::nearest(name, known)) {
    return text + fmt::format("; did you mean {}?", base::quoted(*similar));
  }
  return text + "; add it or correct the name";
}

// Fields that name an entry of another list.
void check_references(const json::Value& object, const SlurmClusterSpec& spec, Findings& findings) {
  const auto filters = names_of(spec.k8sNodeFilters);
  const auto volumes = names_of(spec.volumeSources);
  for (const FieldRow& row : slurm_cluster_fields()) {
    const bool filter = row.check == Check::node_filter;
    if (!filter && row.check != Check::volume_source) continue;
    const auto& known = filter ? filters : volumes;
    visit_field(object, row.path, [&](const std::string& place, const json::Value& value) {
      const auto* const name = value.as_string();
      if (name == nullptr || name->empty() || contains(known, *name)) return;
      findings.errors.push_back(
          {place,
           filter ? unknown_name("filter", *name, "spec.k8sNodeFilters", known)
                  : unknown_name("volume source", *name, "spec.volumeSources", known)});
    });
  }
}

// A volume comes from one source: a named one, or a claim.
void check_volumes(const json::Value& object, Findings& findings) {
  constexpr std::string_view kEnd = ".volumeSourceName";
  for (const FieldRow& row : slurm_cluster_fields()) {
    if (row.check != Check::volume_source) continue;
    const std::string_view volume = row.path.substr(0, row.path.size() - kEnd.size());
    visit_field(object, volume, [&](const std::string& place, const json::Value& value) {
      const bool named = value.find("volumeSourceName") != nullptr;
      const bool claimed = value.find("volumeClaimTemplateSpec") != nullptr;
      if (named != claimed) return;
      findings.errors.push_back(
          {place, "set exactly one of volumeSourceName and volumeClaimTemplateSpec"});
    });
  }
}

void check_unique(std::string_view list,
                  const std::vector<std::string_view>& names,
                  Findings& findings) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (seen.insert(names[i]).second) continue;
    findings.errors.push_back(
        {fmt::format("{}[{}].name", list, i),
         fmt::format("{} appears twice; choose another name", base::quoted(names[i]))});
  }
}

void check_partition(const Partition& partition,
                     const std::string& place,
                     const std::optional<std::vector<std::string_view>>& sets,
                     Findings& findings) {
  if (!partition.isAll && partition.nodeSetRefs.empty()) {
    findings.errors.push_back(
        {place + ".nodeSetRefs", "the partition has no NodeSet; name at least one or set isAll"});
  }
  if (partition.isAll && !partition.nodeSetRefs.empty()) {
    findings.errors.push_back(
        {place + ".nodeSetRefs", "isAll already includes every NodeSet; remove one of both"});
  }
  if (!sets) return;
  for (std::size_t i = 0; i < partition.nodeSetRefs.size(); ++i) {
    const std::string& name = partition.nodeSetRefs[i];
    if (contains(*sets, name)) continue;
    findings.errors.push_back({fmt::format("{}.nodeSetRefs[{}]", place, i),
                               unknown_name("NodeSet", name, "this cluster", *sets)});
  }
}

void check_partitions(const SlurmClusterSpec& spec,
                      const NodeSetNames& node_sets,
                      Findings& findings) {
  const PartitionConfiguration& config = spec.partitionConfiguration;
  if (config.configType == "custom" && config.rawConfig.empty()) {
    findings.errors.push_back(
        {"spec.partitionConfiguration.rawConfig",
         "configType custom needs at least one line; add one or use configType default"});
  }
  if (config.configType != "structured") return;
  if (config.partitions.empty()) {
    findings.errors.push_back(
        {std::string(kPartitions),
         "configType structured needs at least one partition; add one or use configType default"});
  }
  std::optional<std::vector<std::string_view>> sets;
  if (node_sets) {
    sets.emplace(node_sets->begin(), node_sets->end());
    if (spec.slurmNodes.worker) sets->push_back(kWorkerSet);
  }
  for (std::size_t i = 0; i < config.partitions.size(); ++i) {
    check_partition(config.partitions[i], fmt::format("{}[{}]", kPartitions, i), sets, findings);
  }
}

void check_database(const Accounting& accounting, Findings& findings) {
  const ExternalDatabase& external = accounting.externalDB;
  if (!external.enabled) return;
  if (accounting.mariadbOperator && accounting.mariadbOperator->enabled.value_or(false)) {
    findings.errors.push_back({"spec.slurmNodes.accounting.externalDB.enabled",
                               "mariadbOperator.enabled is also true; enable only one database"});
  }
  const bool password = external.passwordSecretKeyRef &&
                        !external.passwordSecretKeyRef->name.empty() &&
                        !external.passwordSecretKeyRef->key.empty();
  if (!external.host.empty() && !external.user.empty() && password) return;
  findings.errors.push_back({"spec.slurmNodes.accounting.externalDB",
                             "an enabled external database needs host, user and "
                             "passwordSecretKeyRef (name and key); set them"});
}

void check_node_port(const Login& login, Findings& findings) {
  const std::int64_t port = login.sshdServiceNodePort;
  if (port == 0 || (port >= 30000 && port <= 32767)) return;
  findings.errors.push_back(
      {"spec.slurmNodes.login.sshdServiceNodePort",
       fmt::format("{} is outside of 30000-32767; choose a port in that range, or 0 for any",
                   port)});
}

bool is_user_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  if (name.empty() || !letter(name[0])) return false;
  return std::ranges::all_of(
      name, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

void check_users(const std::vector<LoginUser>& users, Findings& findings) {
  std::map<std::int64_t, std::string_view> by_uid;
  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::string place = fmt::format("spec.users[{}]", i);
    if (!is_user_name(users[i].name)) {
      findings.errors.push_back({place + ".name",
                                 "use lower-case letters, digits, '_' and '-', beginning with a "
                                 "letter"});
    } else if (contains(kSystemAccounts, users[i].name)) {
      findings.errors.push_back(
          {place + ".name",
           fmt::format("{} is an account of the system; choose another name", users[i].name)});
    }
    if (!users[i].uid) continue;
    const auto [first, is_new] = by_uid.emplace(*users[i].uid, users[i].name);
    if (is_new) continue;
    findings.errors.push_back({place + ".uid",
                               fmt::format("{} is the uid of {}; choose another one",
                                           *users[i].uid,
                                           base::quoted(first->second))});
  }
}

void check_shares(const IntOrPercent& most, const std::string& place, Findings& findings) {
  const std::int64_t limit = most.percent ? 100 : 500;
  if (most.amount >= 0 && most.amount <= limit) return;
  findings.errors.push_back({place, "write a number from 0 to 500 or a percentage such as 20%"});
}

void check_sizes(const SlurmNodes& nodes, Findings& findings) {
  if (nodes.controller.size.value_or(1) != 1) {
    findings.errors.push_back({"spec.slurmNodes.controller.size",
                               "one slurmctld is supported; write 1 or remove the field"});
  }
  if (nodes.worker) {
    check_shares(nodes.worker->maxUnavailable, "spec.slurmNodes.worker.maxUnavailable", findings);
  }
}

void check_cluster(const SlurmCluster& cluster,
                   const json::Value& object,
                   const NodeSetNames& node_sets,
                   Findings& findings) {
  const SlurmClusterSpec& spec = cluster.spec;
  check_name(cluster.metadata.name, findings);
  check_unique("spec.k8sNodeFilters", names_of(spec.k8sNodeFilters), findings);
  check_unique("spec.volumeSources", names_of(spec.volumeSources), findings);
  check_unique(kPartitions, names_of(spec.partitionConfiguration.partitions), findings);
  check_unique("spec.users", names_of(spec.users), findings);
  check_references(object, spec, findings);
  check_volumes(object, findings);
  check_partitions(spec, node_sets, findings);
  check_database(spec.slurmNodes.accounting, findings);
  check_node_port(spec.slurmNodes.login, findings);
  check_users(spec.users, findings);
  check_sizes(spec.slurmNodes, findings);
  check_configuration(spec, node_sets, findings);
}

}  // namespace

Findings validate_slurm_cluster(const json::Value& object, const NodeSetNames& node_sets) {
  Findings findings;
  check_fields(object, slurm_cluster_fields(), findings);
  if (const auto cluster = decoded<SlurmCluster>(object, findings)) {
    check_cluster(*cluster, object, node_sets, findings);
  }
  return findings;
}

}  // namespace slurmop::api
