// SPDX-License-Identifier: Apache-2.0
#include "json/pointer.h"
#include "operator/parts/parts.h"
#include "operator/parts/testing_cluster.h"
#include "operator/parts/testing_golden.h"

#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

Objects made(const Cluster& cluster) {
  auto all = rest(cluster);
  EXPECT_TRUE(all.ok()) << all.error().message();
  return all.ok() ? *all : Objects{};
}

json::Value at(const Cluster& cluster, std::string_view kind, const json::Pointer& place) {
  const std::string name = kind == "Deployment" ? cluster.names.rest()
                           : kind == "Service"  ? cluster.names.rest_service()
                                                : cluster.names.rest_config();
  const json::Value object = object_named(made(cluster), kind, name);
  const json::Value* found = json::find(object, place);
  return found == nullptr ? json::Value() : *found;
}

const json::Pointer kContainer = {"spec", "template", "spec", "containers", "0"};

json::Pointer in_container(const std::string& member) {
  json::Pointer place = kContainer;
  place.push_back(member);
  return place;
}

TEST(Rest, golden_files_are_current) {
  expect_golden("small/rest", made(small_cluster()));
  expect_golden("full/rest", made(full_cluster()));
}

TEST(Rest, always_runs_because_the_operator_needs_it) {
  const Cluster cluster = small_cluster();
  ASSERT_FALSE(cluster.spec().slurmNodes.rest.enabled);
  EXPECT_EQ(at(cluster, "Deployment", {"spec", "replicas"}), json::Value(1));
}

TEST(Rest, has_no_key_and_no_privilege) {
  const json::Value security = at(full_cluster(), "Deployment", in_container("securityContext"));
  EXPECT_EQ(security.dump(),
            R"({"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},)"
            R"("seccompProfile":{"type":"RuntimeDefault"}})");
  EXPECT_EQ(
      at(full_cluster(), "Deployment", {"spec", "template", "spec", "securityContext"}).dump(),
      R"({"runAsNonRoot":true,"runAsUser":64031,"runAsGroup":64031})");
  for (const json::Value& volume :
       *at(full_cluster(), "Deployment", {"spec", "template", "spec", "volumes"}).as_array()) {
    EXPECT_EQ(volume.find("secret"), nullptr);
  }
}

TEST(Rest, restarts_only_if_its_own_file_changes) {
  const Cluster before = small_cluster();
  Cluster after = before;
  after.resource.spec.customSlurmConfig = "MessageTimeout=61";
  EXPECT_EQ(made(before), made(after)) << "the file has nothing of the custom configuration";
  const auto file = rest_slurm_conf(before);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(at(before,
               "Deployment",
               {"spec", "template", "metadata", "annotations", "slurm.nebius.ai/config-hash"}),
            json::Value(file->hash()));
}

TEST(Rest, threads_and_connections_are_those_of_the_resource) {
  EXPECT_EQ(at(full_cluster(), "Deployment", in_container("args")).dump(),
            R"(["-a","rest_auth/jwt","-s","openapi/slurmctld,openapi/slurmdbd","-t","5",)"
            R"("--max-connections","50","0.0.0.0:8080"])");
}

TEST(Rest, the_service_has_the_same_port_whatever_the_port_of_the_pod) {
  EXPECT_EQ(at(small_cluster(), "Service", {"spec", "ports"}).dump(),
            R"([{"name":"http","port":6820}])");
  EXPECT_EQ(at(full_cluster(), "Service", {"spec", "ports"}).dump(),
            R"([{"name":"http","port":6820,"targetPort":8080}])");
}

}  // namespace
}  // namespace slurmop::parts
