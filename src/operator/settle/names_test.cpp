// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/names.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace slurmop::settle {
namespace {

Names names(Naming naming, std::string cluster = "demo") {
  return {naming, std::move(cluster), "slurm", "cluster.local"};
}

// The names of objects of a kind that short names change.
std::vector<std::string> workloads(const Names& n) {
  return {n.controller(), n.login(), n.database(), n.accounting(), n.rest()};
}

std::vector<std::string> others(const Names& n) {
  return {n.controller_service(), n.login_service(),
          n.login_headless(),     n.accounting_service(),
          n.database_service(),   n.rest_service(),
          n.worker_service(),     n.slurm_configs(),
          n.rest_config(),        n.ssh_configs(),
          n.ssh_keys(),           n.users(),
          n.slurmdbd_config(),    n.slurm_key(),
          n.munge_key(),          n.jwt_key(),
          n.sshd_keys(),          n.database_password(),
          n.home_claim(),         n.service_account("login")};
}

TEST(Names, short_names_are_those_of_the_requirements) {
  const Names n = names(Naming::short_names);
  EXPECT_EQ(n.controller_pod(), "controller-0");
  EXPECT_EQ(n.login(), "login");
  EXPECT_EQ(n.rest(), "rest");
  EXPECT_EQ(n.controller_service(), "demo-controller-svc");
}

TEST(Names, prefixed_names_are_those_of_the_reference) {
  const Names n = names(Naming::prefixed);
  EXPECT_EQ(n.controller_pod(), "demo-controller-0");
  EXPECT_EQ(n.accounting(), "demo-accounting");
  EXPECT_EQ(n.database_service(), "demo-acct-db");
  EXPECT_EQ(n.jwt_key(), "demo-rest-jwt-key");
  EXPECT_EQ(n.controller_domain(), "demo-controller-svc.slurm.svc.cluster.local");
  EXPECT_EQ(to_string(n.naming()), "prefixed");
}

TEST(Names, only_workloads_depend_on_the_naming) {
  EXPECT_EQ(others(names(Naming::short_names)), others(names(Naming::prefixed)));
  EXPECT_NE(workloads(names(Naming::short_names)), workloads(names(Naming::prefixed)));
}

TEST(Names, two_clusters_of_a_namespace_share_no_name_unless_both_are_short) {
  for (const Naming second : {Naming::short_names, Naming::prefixed}) {
    const Names a = names(Naming::prefixed, "a");
    const Names b = names(second, "b");
    std::set<std::string> used;
    for (const std::string& name : workloads(a)) EXPECT_TRUE(used.insert(name).second) << name;
    for (const std::string& name : workloads(b)) EXPECT_TRUE(used.insert(name).second) << name;
  }
  std::set<std::string> used;
  for (const std::string& name : others(names(Naming::prefixed, "a"))) {
    EXPECT_TRUE(used.insert(name).second) << name;
  }
  for (const std::string& name : others(names(Naming::prefixed, "b"))) {
    EXPECT_TRUE(used.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace slurmop::settle
