// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/network_policies.h"

#include "json/pointer.h"
#include "operator/parts/testing_cluster.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

const json::Value kOperator = json::Object{
    {"namespaceSelector", json::Object{}},
    {"podSelector",
     json::Object{{"matchLabels", json::Object{{"app.kubernetes.io/name", "soperator"}}}}}};

json::Value policy(const Cluster& cluster, std::string_view name) {
  return object_named(network_policies(cluster), "NetworkPolicy", name);
}

json::Value at(const json::Value& object, const json::Pointer& place) {
  const json::Value* found = json::find(object, place);
  return found == nullptr ? json::Value() : *found;
}

TEST(NetworkPolicies, deny_connections_from_outside_of_the_cluster) {
  const json::Value all = policy(small_cluster(), "demo-internal");
  const json::Value selector =
      json::Object{{"matchLabels",
                    json::Object{{"app.kubernetes.io/instance", "demo"},
                                 {"app.kubernetes.io/name", "slurmcluster"}}}};
  EXPECT_EQ(at(all, {"spec", "podSelector"}), selector);
  EXPECT_EQ(at(all, {"spec", "policyTypes"}).dump(), R"(["Ingress"])");
  EXPECT_EQ(at(all, {"spec", "ingress", "0", "from"}),
            json::Value(json::Array{json::Object{{"podSelector", selector}}}));
  EXPECT_EQ(at(all, {"spec", "ingress", "0", "ports"}), json::Value());
}

TEST(NetworkPolicies, ssh_is_reachable_from_everywhere) {
  const json::Value login = policy(small_cluster(), "demo-login");
  EXPECT_EQ(at(login, {"spec", "ingress"}).dump(), R"([{"ports":[{"port":22}]}])");
  EXPECT_EQ(at(login, {"spec", "podSelector", "matchLabels", "app.kubernetes.io/component"}),
            json::Value("login"));
}

TEST(NetworkPolicies, the_agent_answers_the_operator) {
  const json::Value agent = policy(small_cluster(), "demo-controller");
  EXPECT_EQ(at(agent, {"spec", "ingress", "0", "from"}), json::Value(json::Array{kOperator}));
  EXPECT_EQ(at(agent, {"spec", "ingress", "0", "ports"}).dump(), R"([{"port":6880}])");
}

TEST(NetworkPolicies, rest_is_for_the_operator_unless_it_is_enabled) {
  const json::Value internal = policy(small_cluster(), "demo-rest");
  EXPECT_EQ(at(internal, {"spec", "ingress", "0", "from"}), json::Value(json::Array{kOperator}));
  EXPECT_EQ(at(internal, {"spec", "ingress", "0", "ports"}).dump(), R"([{"port":6820}])");
  const json::Value open = policy(full_cluster(), "demo-rest");
  EXPECT_EQ(at(open, {"spec", "ingress"}).dump(),
            R"([{"from":[{"namespaceSelector":{}}],"ports":[{"port":8080}]}])");
}

}  // namespace
}  // namespace slurmop::parts
