// SPDX-License-Identifier: Apache-2.0
// Behaviour that recorded answers of a real server cannot show: history, pages, audit, determinism.
#include "models/testing/kube.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace models::kube {
namespace {

using testing::Answer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kPods;
using testing::TestServer;

std::vector<std::string> names(const json::Value& list) {
  std::vector<std::string> all;
  for (const json::Value& item : array_at(list, {"items"})) {
    all.emplace_back(text_at(item, {"metadata", "name"}));
  }
  return all;
}

// "ADDED a" for each line.
std::vector<std::string> events(const KubeServer& server, WatchCursor& cursor, std::size_t limit) {
  std::string lines;
  const std::size_t count = server.read_watch(cursor, lines, limit);
  std::vector<std::string> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const auto event = json::parse(line);
    EXPECT_TRUE(event.ok()) << line;
    all.push_back(fmt::format(
        "{} {}", text_at(*event, {"type"}), text_at(*event, {"object", "metadata", "name"})));
  }
  EXPECT_EQ(all.size(), count);
  return all;
}

TEST(KubeServer, KnowsItsOwnNamespacesFromTheStart) {
  TestServer test;
  EXPECT_THAT(names(test.get("/api/v1/namespaces").body), ElementsAre("default", "kube-system"));
  TestServer other;
  EXPECT_EQ(test.get("/api/v1/namespaces/kube-system").text({"metadata", "uid"}),
            other.get("/api/v1/namespaces/kube-system").text({"metadata", "uid"}));
}

TEST(KubeServer, RecordsTheManagerThatMadeANodeUnschedulable) {
  TestServer test;
  test.send("POST", "/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
  const auto cordon = [&](const std::string& query, bool cordoned) {
    return test.send("PATCH",
                     "/api/v1/nodes/n1" + query,
                     fmt::format(R"({{"spec":{{"unschedulable":{}}}}})", cordoned),
                     testing::kMerge);
  };
  const auto managers = [](const Answer& answer) {
    std::vector<std::string> all;
    for (const json::Value& entry : array_at(answer.body, {"metadata", "managedFields"}))
      all.emplace_back(text_at(entry, {"manager"}));
    return all;
  };
  EXPECT_THAT(managers(cordon("?fieldManager=a", true)), ElementsAre("a"));
  EXPECT_THAT(managers(cordon("?fieldManager=b", true)), ElementsAre("a"));
  EXPECT_THAT(managers(cordon("?fieldManager=b", false)), IsEmpty());
  EXPECT_THAT(managers(cordon("", true)), ElementsAre("unknown"));
}

TEST(KubeServer, TheSameRequestsGiveTheSameAnswers) {
  std::string first;
  for (int run = 0; run < 2; ++run) {
    TestServer test;
    test.send(
        "POST",
        kPods,
        R"({"metadata":{"generateName":"a-"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    test.create_pod("b");
    test.send("DELETE", kPods + "/b");
    const std::string all = test.get(kPods).body.dump();
    if (run == 0) first = all;
    EXPECT_EQ(all, first);
  }
}

TEST(KubeServer, EachChangeIsOneVersionAndIsAudited) {
  TestServer test;
  std::vector<std::string> seen;
  test.server.on_write([&](const ObjectWrite& write) {
    seen.push_back(
        fmt::format("{} {}{} {}{}",
                    test.server.version(),
                    write.verb,
                    write.subresource.empty() ? "" : "/" + std::string(write.subresource),
                    write.before == nullptr ? "-" : "+",
                    write.after == nullptr ? "-" : "+"));
  });
  const std::uint64_t start = test.server.version();
  ASSERT_EQ(start, 2U) << "two namespaces";
  test.create_pod("a", R"(,"finalizers":["x/y"])");
  test.patch("a", R"({"metadata":{"labels":{"l":"1"}}})");
  test.patch("a", R"({"metadata":{"labels":{"l":"1"}}})");    // changes nothing
  test.patch("a", R"({"metadata":{"labels":{"l l":"1"}}})");  // is rejected
  test.bind("a");
  test.send("PATCH", kPods + "/a/status", R"({"status":{"phase":"Failed"}})", testing::kMerge);
  test.send("DELETE", kPods + "/a");
  test.patch("a", R"({"metadata":{"finalizers":null}})");
  EXPECT_THAT(seen,
              ElementsAre("3 create -+",
                          "4 patch ++",
                          "5 bind/binding ++",
                          "6 patch/status ++",
                          "7 delete ++",
                          "8 patch +-"));
  EXPECT_EQ(test.server.find({"pods", "default", "a"}), nullptr);
}

TEST(KubeServer, PagesAreOfOneMomentUntilItIsForgotten) {
  TestServer test;
  for (const char* name : {"a", "b", "c", "d"}) test.create_pod(name);
  const auto first = test.get(kPods + "?limit=2");
  EXPECT_THAT(names(first.body), ElementsAre("a", "b"));
  const std::string next =
      kPods + "?limit=2&continue=" + std::string(first.text({"metadata", "continue"}));
  test.send("DELETE", kPods + "/c");
  test.create_pod("bb");
  test.patch("d", R"({"metadata":{"labels":{"late":"1"}}})");
  const auto second = test.get(next);
  EXPECT_THAT(names(second.body), ElementsAre("c", "d"));
  EXPECT_EQ(second.text({"metadata", "resourceVersion"}),
            first.text({"metadata", "resourceVersion"}));
  EXPECT_EQ(at(array_at(second.body, {"items"})[1], {"metadata", "labels"}), nullptr);

  test.server.compact();
  const auto late = test.get(next);
  EXPECT_EQ(late.status, 410);
  EXPECT_EQ(late.text({"reason"}), "Expired");
  const auto rest =
      test.get(kPods + "?continue=" + std::string(late.text({"metadata", "continue"})));
  EXPECT_THAT(names(rest.body), ElementsAre("bb", "d")) << "continues with the current objects";
}

TEST(KubeServer, NamespacesAreListedInTheOrderOfEtcd) {
  TestServer test;
  test.send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"default-b"}})");
  test.create_pod("z");
  test.send("POST",
            "/api/v1/namespaces/default-b/pods",
            R"({"metadata":{"name":"y"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  EXPECT_THAT(names(test.get("/api/v1/pods").body), ElementsAre("y", "z")) << "'-' before '/'";
  EXPECT_THAT(names(test.get(kPods).body), ElementsAre("z"));
  EXPECT_EQ(test.server.all("pods").size(), 2U);
}

TEST(KubeWatch, SendsTheObjectsThenTheChanges) {
  TestServer test;
  test.create_pod("a");
  test.create_pod("b");
  WatchCursor all = test.watch(kPods + "?watch=1");
  EXPECT_THAT(events(test.server, all, 1), ElementsAre("ADDED a"));
  test.send("DELETE", kPods + "/b");  // between two reads of one list
  test.create_pod("c");
  EXPECT_THAT(events(test.server, all, 1), ElementsAre("ADDED b"));
  EXPECT_THAT(events(test.server, all, 9), ElementsAre("MODIFIED b", "DELETED b", "ADDED c"));
  EXPECT_THAT(events(test.server, all, 9), IsEmpty());
}

TEST(KubeWatch, ABookmarkHasThePositionOfTheWatch) {
  TestServer test;
  WatchCursor pods = test.watch(kPods + "?watch=1&resourceVersion=2");
  test.send("POST", "/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  EXPECT_THAT(events(test.server, pods, 9), IsEmpty());
  EXPECT_EQ(test.server.bookmark(pods),
            R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1",)"
            R"("metadata":{"resourceVersion":"3"}}})"
            "\n");
  test.create_pod("a");
  WatchCursor again = test.watch(kPods + "?watch=1&resourceVersion=3");
  EXPECT_THAT(events(test.server, again, 9), ElementsAre("ADDED a"));
}

TEST(KubeWatch, AWatchThatIsTooFarBehindGetsAnError) {
  TestServer test;
  WatchCursor slow = test.watch(kPods + "?watch=1&resourceVersion=2");
  test.create_pod("a");
  test.server.compact();
  std::string lines;
  EXPECT_EQ(test.server.read_watch(slow, lines, 9), 1U);
  EXPECT_THAT(lines, HasSubstr(R"("type":"ERROR")"));
  EXPECT_THAT(lines, HasSubstr(R"("reason":"Expired")"));
  EXPECT_THAT(lines, HasSubstr(R"("code":410)"));
  WatchCursor current = test.watch(kPods + "?watch=1&resourceVersion=3");
  EXPECT_THAT(events(test.server, current, 9), IsEmpty());
}

TEST(KubeWatch, HistoryIsBounded) {
  TestServer test;
  test.server.keep_changes(3);
  WatchCursor slow = test.watch(kPods + "?watch=1&resourceVersion=2");
  for (int i = 0; i < 3; ++i) test.create_pod(fmt::format("p{}", i));
  WatchCursor copy = slow;
  EXPECT_THAT(events(test.server, copy, 9), ElementsAre("ADDED p0", "ADDED p1", "ADDED p2"));
  test.create_pod("p3");
  EXPECT_THAT(events(test.server, slow, 9), ElementsAre("ERROR "));
}

TEST(KubeServer, ADryRunChangesNothing) {
  TestServer test;
  const std::uint64_t before = test.server.version();
  EXPECT_EQ(
      test.send("POST",
                kPods + "?dryRun=All",
                R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}})")
          .status,
      201);
  EXPECT_EQ(test.server.version(), before);
  test.create_pod("a");
  EXPECT_EQ(test.send("PATCH",
                      kPods + "/a?dryRun=All",
                      R"({"metadata":{"labels":{"a":"b"}}})",
                      testing::kMerge)
                .text({"metadata", "labels", "a"}),
            "b");
  EXPECT_EQ(test.send("DELETE", kPods + "/a?dryRun=All").status, 200);
  EXPECT_EQ(test.server.version(), before + 1);
}

TEST(KubeServer, ANamespaceIsRemovedWhenItIsFinalized) {
  TestServer test;
  test.send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"brief"}})");
  EXPECT_EQ(test.send("DELETE", "/api/v1/namespaces/brief").text({"status", "phase"}),
            "Terminating");
  EXPECT_EQ(test.get("/api/v1/namespaces/brief").status, 200);
  EXPECT_EQ(test.send("PUT",
                      "/api/v1/namespaces/brief/finalize",
                      R"({"metadata":{"name":"brief"},"spec":{"finalizers":[]}})")
                .status,
            200);
  EXPECT_EQ(test.get("/api/v1/namespaces/brief").status, 404);
}

TEST(KubeServer, ANamespaceThatIsTidiedTakesItsContentAlong) {
  TestServer test;
  test.send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"brief"}})");
  test.send("POST", "/api/v1/namespaces/brief/configmaps", R"({"metadata":{"name":"c"}})");
  test.send("POST",
            "/api/v1/namespaces/brief/configmaps",
            R"({"metadata":{"name":"held","finalizers":["x/y"]}})");
  EXPECT_FALSE(test.server.tidy_namespaces()) << "nothing is being deleted";
  test.send("DELETE", "/api/v1/namespaces/brief");
  EXPECT_TRUE(test.server.tidy_namespaces());
  EXPECT_EQ(test.server.find({"configmaps", "brief", "c"}), nullptr);
  EXPECT_NE(test.server.find({"configmaps", "brief", "held"}), nullptr);
  EXPECT_TRUE(test.server.tidy_namespaces());
  EXPECT_NE(test.server.find({"namespaces", "", "brief"}), nullptr) << "it is not empty";
  test.send("PATCH",
            "/api/v1/namespaces/brief/configmaps/held",
            R"({"metadata":{"finalizers":null}})",
            testing::kMerge);
  EXPECT_TRUE(test.server.tidy_namespaces());
  EXPECT_EQ(test.server.find({"namespaces", "", "brief"}), nullptr);
  EXPECT_FALSE(test.server.tidy_namespaces());
}

TEST(KubeServer, AnEvictionIsADelete) {
  TestServer test;
  test.create_pod("a");
  test.bind("a");
  EXPECT_EQ(test.send("POST", kPods + "/a/eviction", R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_NE(at(test.get(kPods + "/a").body, {"metadata", "deletionTimestamp"}), nullptr);
}

TEST(KubeServer, TheDeletionTimestampIsWhenTheGraceEnds) {
  TestServer test;
  test.create_pod("a");
  test.bind("a");
  const auto grace_end = [&] {
    return std::string(test.get(kPods + "/a").text({"metadata", "deletionTimestamp"}));
  };
  test.send("DELETE", kPods + "/a");
  EXPECT_EQ(grace_end(), "2023-11-14T22:13:50Z") << "30 s from now";
  test.clock.set_wall(test.clock.wall() + std::chrono::seconds(5));
  test.send("DELETE", kPods + "/a?gracePeriodSeconds=10");
  EXPECT_EQ(grace_end(), "2023-11-14T22:13:30Z") << "10 s from the first delete";
}

TEST(KubeServer, AFurtherCollectionIsOneLine) {
  TestServer test;
  test.server.add_collection({"x.example.com", "v1", "widgets", "Widget"});
  const std::string widgets = "/apis/x.example.com/v1/namespaces/default/widgets";
  const auto made = test.send("POST", widgets, R"({"metadata":{"name":"w"},"spec":{"size":1}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.text({"apiVersion"}), "x.example.com/v1");
  const auto patched = test.send(
      "PATCH", widgets + "/w", R"({"spec":{"size":2},"status":{"x":1}})", testing::kMerge);
  EXPECT_EQ(*at(patched.body, {"metadata", "generation"}), json::Value(2));
  EXPECT_EQ(at(patched.body, {"status"}), nullptr);
  EXPECT_NE(test.server.find({"widgets", "default", "w"}), nullptr);
}

TEST(KubeServer, ABodyThatIsNoJsonIsRefused) {
  TestServer test;
  EXPECT_EQ(test.send("POST", kPods, "kind: Pod").status, 400);
  EXPECT_EQ(test.send("POST", kPods, "[]").status, 400);
  EXPECT_EQ(test.send("POST", kPods, R"({"metadata":[]})").status, 400);
  EXPECT_EQ(test.send("POST", kPods, "").status, 400);
}

}  // namespace
}  // namespace models::kube
