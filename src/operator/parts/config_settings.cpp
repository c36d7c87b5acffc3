// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/config_settings.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace slurmop::parts {
namespace {

// Settings from the fields below one field.
class Settings {
 public:
  explicit Settings(std::string_view parent) : parent_(parent) {}

  void text(std::string_view key, const std::string& value, std::string_view field) {
    if (value.empty()) return;
    all_.push_back({std::string(key), value, fmt::format("{}.{}", parent_, field)});
  }
  void number(std::string_view key, std::int64_t value, std::string_view field) {
    text(key, std::to_string(value), field);
  }
  // 0 stands for Slurm's default.
  void positive(std::string_view key, std::int64_t value, std::string_view field) {
    if (value != 0) number(key, value, field);
  }
  void append_to(std::vector<conf::Setting>& out) && {
    for (conf::Setting& setting : all_) out.push_back(std::move(setting));
  }

 private:
  std::string_view parent_;
  std::vector<conf::Setting> all_;
};

Settings general(const api::SlurmConfig& config, Gpus gpus) {
  Settings out("spec.slurmConfig");
  out.number("CompleteWait", config.completeWait, "completeWait");
  if (gpus == Gpus::some) out.number("DefCPUPerGPU", config.defCpuPerGPU, "defCpuPerGPU");
  out.positive("DefMemPerNode", config.defMemPerNode, "defMemPerNode");
  out.number("MaxJobCount", config.maxJobCount, "maxJobCount");
  out.number("MessageTimeout", config.messageTimeout, "messageTimeout");
  out.number("MinJobAge", config.minJobAge, "minJobAge");
  out.text("TaskPluginParam", config.taskPluginParam, "taskPluginParam");
  out.text("TaskProlog", config.taskProlog, "taskProlog");
  return out;
}

// JobAcctGatherType is left to the default of conf: the field's own default is none, and then sstat
// shows nothing.
Settings about_accounting(const api::AccountingSlurmConfig& config) {
  Settings out("spec.slurmNodes.accounting.slurmConfig");
  out.text("AccountingStorageTRES", config.accountingStorageTRES, "accountingStorageTRES");
  out.text("AccountingStoreFlags", config.accountingStoreFlags, "accountingStoreFlags");
  out.text("AcctGatherFilesystemType", config.acctGatherFilesystemType, "acctGatherFilesystemType");
  out.text("AcctGatherInterconnectType",
           config.acctGatherInterconnectType,
           "acctGatherInterconnectType");
  out.text("AcctGatherProfileType", config.acctGatherProfileType, "acctGatherProfileType");
  out.positive("JobAcctGatherFrequency", config.jobAcctGatherFrequency, "jobAcctGatherFrequency");
  out.text("JobAcctGatherParams", config.jobAcctGatherParams, "jobAcctGatherParams");
  out.positive("PriorityWeightAge", config.priorityWeightAge, "priorityWeightAge");
  out.positive(
      "PriorityWeightFairshare", config.priorityWeightFairshare, "priorityWeightFairshare");
  out.positive("PriorityWeightQOS", config.priorityWeightQOS, "priorityWeightQOS");
  out.text("PriorityWeightTRES", config.priorityWeightTRES, "priorityWeightTRES");
  return out;
}

Settings metrics(const api::OpenMetrics& config) {
  Settings out("spec.slurmNodes.controller.openMetrics");
  if (config.enabled) out.text("MetricsType", "metrics/openmetrics", "enabled");
  return out;
}

void add_archives(const api::SlurmdbdConfig& config, Settings& out) {
  out.text("ArchiveEvents", config.archiveEvents, "archiveEvents");
  out.text("ArchiveJobs", config.archiveJobs, "archiveJobs");
  out.text("ArchiveResvs", config.archiveResvs, "archiveResvs");
  out.text("ArchiveSteps", config.archiveSteps, "archiveSteps");
  out.text("ArchiveSuspend", config.archiveSuspend, "archiveSuspend");
  out.text("ArchiveTXN", config.archiveTXN, "archiveTXN");
  out.text("ArchiveUsage", config.archiveUsage, "archiveUsage");
}

void add_purges(const api::SlurmdbdConfig& config, Settings& out) {
  out.text("PurgeEventAfter", config.purgeEventAfter, "purgeEventAfter");
  out.text("PurgeJobAfter", config.purgeJobAfter, "purgeJobAfter");
  out.text("PurgeResvAfter", config.purgeResvAfter, "purgeResvAfter");
  out.text("PurgeStepAfter", config.purgeStepAfter, "purgeStepAfter");
  out.text("PurgeSuspendAfter", config.purgeSuspendAfter, "purgeSuspendAfter");
  out.text("PurgeTXNAfter", config.purgeTXNAfter, "purgeTXNAfter");
  out.text("PurgeUsageAfter", config.purgeUsageAfter, "purgeUsageAfter");
}

// "SSL_CA=/a,SSL_CERT=/b", by name.
std::string joined(const std::map<std::string, std::string>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

}  // namespace

std::vector<conf::Setting> slurm_settings(const api::SlurmClusterSpec& spec, Gpus gpus) {
  std::vector<conf::Setting> all;
  general(spec.slurmConfig, gpus).append_to(all);
  metrics(spec.slurmNodes.controller.openMetrics).append_to(all);
  const api::Accounting& accounting = spec.slurmNodes.accounting;
  if (accounting.enabled) about_accounting(accounting.slurmConfig).append_to(all);
  return all;
}

std::vector<conf::Setting> slurmdbd_settings(const api::Accounting& accounting) {
  std::vector<conf::Setting> all;
  const api::SlurmdbdConfig& config = accounting.slurmdbdConfig;
  Settings own("spec.slurmNodes.accounting.slurmdbdConfig");
  add_archives(config, own);
  add_purges(config, own);
  own.text("DebugFlags", config.debugFlags, "debugFlags");
  own.text("DebugLevel", config.debugLevel, "debugLevel");
  own.text("PrivateData", config.privateData, "privateData");
  own.positive("TCPTimeout", config.tcpTimeout, "tcpTimeout");
  std::move(own).append_to(all);
  if (accounting.externalDB.enabled) {
    Settings external("spec.slurmNodes.accounting.externalDB");
    external.text(
        "StorageParameters", joined(accounting.externalDB.storageParameters), "storageParameters");
    std::move(external).append_to(all);
  }
  return all;
}

}  // namespace slurmop::parts
