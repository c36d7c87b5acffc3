// SPDX-License-Identifier: Apache-2.0
#include "instance_settings.h"

#include <array>
#include <unistd.h>
#include <utility>

namespace app {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  (void)::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

bridge::process::InstanceOptions instance_options(const Settings& settings,
                                                  const std::string& own_ns) {
  bridge::process::InstanceOptions options;
  options.role = settings.role;
  options.host = host_name();
  options.scheduler_name = settings.config.schedulerName;
  options.live = bridge::config::live_settings(settings.config);
  options.pod_workers = settings.pod_workers;
  options.node_workers = settings.node_workers;
  const std::string& ns = settings.lease_namespace.empty() ? own_ns : settings.lease_namespace;
  if (!ns.empty()) options.cluster_id_lease.ns = ns;
  if (settings.config.features.enableLeaderElection) {
    bridge::process::Leadership leadership{{}, host_name(), settings.lease_times};
    for (const std::string& name : settings.lease_names)
      leadership.leases.push_back({options.cluster_id_lease.ns, name});
    options.leadership = std::move(leadership);
  }
  return options;
}

}  // namespace app
