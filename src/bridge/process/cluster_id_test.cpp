// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/cluster_id.h"

#include "json/patch.h"
#include "net/testing/loop.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace bridge::process {
namespace {

using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

const kube::ObjectKey kNote{"slurm", kClusterNote};

Response refusal(int status) {
  return {status, {}, fmt::format(R"({{"kind":"Status","message":"status {}"}})", status)};
}

// Two accounts on one API server, each with its own permissions.
struct ClusterId : ::testing::Test {
  struct Account {
    Account(ClusterId& of, std::set<std::string> may)
        : rights(std::move(may)), transport(of.world.loop, [this, &of](const Request& request) {
            return slurm::testing::ScriptedTransport::Reply{of.answer(request, rights), 1ms};
          }) {}

    std::set<std::string> rights;  // "GET namespaces", "PUT leases"
    slurm::testing::ScriptedTransport transport;
    kube::Credentials nobody;
    kube::Client client{transport, nobody};
  };

  Response answer(const Request& request, const std::set<std::string>& rights) {
    const std::string kind = request.target.contains("/leases") ? "leases" : "namespaces";
    asked.push_back(request.method + " " + kind);
    if (!rights.contains(asked.back())) return refusal(403);
    if (kind == "namespaces") return {200, {}, R"({"metadata":{"uid":"cluster-1"}})"};
    if (request.method == "POST") {
      lease = json::parse(request.body).value();
      give(uid);
    }
    if (lease.is_null()) return refusal(404);
    if (request.method == "PUT") lease = json::parse(request.body).value();
    if (request.method == "PATCH") json::apply_merge_patch(lease, *json::parse(request.body));
    return {200, {}, lease.dump()};
  }
  // Sets the uid as the API server does for a new object, whatever the object contains.
  void give(const std::string& its_uid) {
    json::apply_merge_patch(
        lease,
        json::Object{{"metadata", json::Object{{"uid", its_uid}, {"resourceVersion", "1"}}}});
  }

  Result<std::string> find(Account& account) {
    return world.run(find_cluster_id({world.loop, account.client}, kNote, world.loop.in(1s)));
  }
  Result<void> note(Account& account, const std::string& id) {
    return world.run(note_cluster_id({world.loop, account.client}, kNote, id, world.loop.in(1s)));
  }

  net::testing::VirtualWorld world;
  json::Value lease;
  std::string uid = "lease-1";
  std::vector<std::string> asked;
  // The permissions of the reference (slurm-bridge.md 9.2).
  Account scheduler{*this, {"GET namespaces", "GET leases", "POST leases", "PUT leases"}};
  Account controllers{*this, {"GET leases", "POST leases", "PUT leases"}};
};

TEST_F(ClusterId, IsTheSameWithAndWithoutPermissionToReadKubeSystem) {
  ASSERT_TRUE(note(scheduler, *find(scheduler)).ok());
  EXPECT_EQ(find(controllers).value(), "cluster-1");
  controllers.rights.insert("GET namespaces");  // granted later
  EXPECT_EQ(find(controllers).value(), "cluster-1");
}

TEST_F(ClusterId, IsNotedOnceAndWithTheVerbThatIsGranted) {
  ASSERT_TRUE(note(scheduler, "cluster-1").ok());
  EXPECT_THAT(asked, ElementsAre("GET leases", "POST leases", "PATCH leases", "PUT leases"));
  asked.clear();
  ASSERT_TRUE(note(scheduler, "cluster-1").ok());
  EXPECT_THAT(asked, ElementsAre("GET leases"));

  lease = {};
  asked.clear();
  Account ours{*this, {"GET leases", "POST leases", "PATCH leases"}};  // deploy/rbac.yaml
  ASSERT_TRUE(note(ours, "cluster-1").ok());
  EXPECT_THAT(asked, ElementsAre("GET leases", "POST leases", "PATCH leases"));
  EXPECT_EQ(find(controllers).value(), "cluster-1");
}

// A namespace that was restored from another cluster's backup contains the Lease of that cluster. A
// process that used its cluster id would cancel that cluster's jobs.
TEST_F(ClusterId, IsNotReadFromACopyOfTheLease) {
  ASSERT_TRUE(note(scheduler, "another-cluster").ok());
  give("lease-2");
  EXPECT_TRUE(find(controllers).error().is(Kind::not_found));
  ASSERT_TRUE(note(scheduler, "cluster-1").ok());
  EXPECT_EQ(find(controllers).value(), "cluster-1");
}

TEST_F(ClusterId, ThatCannotBeReadGivesAnErrorThatNamesTheMissingPermission) {
  const auto still_to_come = find(controllers);
  EXPECT_TRUE(still_to_come.error().is(Kind::not_found));
  EXPECT_THAT(
      still_to_come.error().message(),
      AllOf(HasSubstr("slurm/cluster-id.slinky.slurm.net"),
            HasSubstr("start the scheduler"),
            HasSubstr("grant this account get on namespaces, resourceNames [kube-system]")));
  controllers.rights.clear();
  const auto never = find(controllers);
  EXPECT_TRUE(never.error().is(Kind::forbidden));
  EXPECT_THAT(never.error().message(),
              HasSubstr("grant this account get on namespaces, resourceNames [kube-system]"));
}

}  // namespace
}  // namespace bridge::process
