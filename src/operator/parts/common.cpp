// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/workload.h"
#include "operator/parts/account_files.h"
#include "operator/parts/component_meta.h"
#include "operator/parts/network_policies.h"
#include "operator/parts/parts.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace slurmop::parts {
namespace {

// Each component has its own ServiceAccount, so that an administrator can give one of them image pull
// secrets or rights of a cloud. No Role is created: no pod of a cluster uses the Kubernetes API, and
// none gets a token.
void add_service_accounts(const Cluster& cluster, Objects& all) {
  std::vector<std::string_view> components = {"controller", "worker", "login", "rest"};
  if (cluster.has_accounting()) components.push_back("accounting");
  for (const std::string_view component : components) {
    all.push_back(objects::service_account(
        component_meta(cluster, cluster.names.service_account(component), component)));
  }
}

base::Result<void> add_users(const Cluster& cluster, Objects& all) {
  TRY(const FilesByName accounts, account_files(cluster));
  TRY(const FilesByName keys, ssh_key_files(cluster));
  all.push_back(
      objects::config_map(component_meta(cluster, cluster.names.users(), "common"), accounts));
  all.push_back(
      objects::config_map(component_meta(cluster, cluster.names.ssh_keys(), "login"), keys));
  return {};
}

void add_home_claim(const Cluster& cluster, Objects& all) {
  const auto& home = cluster.spec().home;
  if (!home || home->volumeClaimTemplateSpec.is_null()) return;
  all.push_back(objects::claim(kept_meta(cluster, cluster.names.home_claim(), "common"),
                               home->volumeClaimTemplateSpec));
}

}  // namespace

base::Result<Objects> common(const Cluster& cluster) {
  Objects all;
  add_service_accounts(cluster, all);
  TRY_VOID(add_users(cluster, all));
  add_home_claim(cluster, all);
  std::ranges::move(network_policies(cluster), std::back_inserter(all));
  return all;
}

}  // namespace slurmop::parts
