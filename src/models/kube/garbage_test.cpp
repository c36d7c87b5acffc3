// SPDX-License-Identifier: Apache-2.0
// The model's garbage collector leaves the same objects as a real one
// (tests/fixtures/kubernetes/garbage.json).
#include "models/testing/kube.h"
#include "models/testing/transcript.h"

namespace models::kube {
namespace {

using namespace testing;

// The members of an object that the recording has.
json::Value seen(KubeServer& server, const std::string& target) {
  const net::http::Response response = server.handle({"GET", target});
  if (response.status == 404) return {};
  const json::Value object = *json::parse(response.body);
  json::Array owners;
  for (const json::Value& owner : array_at(object, {"metadata", "ownerReferences"}))
    owners.emplace_back(text_at(owner, {"name"}));
  return json::Object{{"deleting", is_deleting(object)},
                      {"finalizers", array_at(object, {"metadata", "finalizers"})},
                      {"owners", std::move(owners)}};
}

void settle(KubeServer& server) {
  for (int steps = 0; server.collect_garbage(); ++steps)
    ASSERT_LT(steps, 1000) << "the garbage collector does not finish";
}

TEST(KubeServerConformance, CollectsGarbageAsARealServerDid) {
  const json::Value stories = transcript("garbage.json");
  ASSERT_NE(stories.as_array(), nullptr);
  ASSERT_GT(stories.as_array()->size(), 8U);
  const base::VirtualClock clock;
  KubeServer server(clock);
  for (const json::Value& story : *stories.as_array()) {
    SCOPED_TRACE(text_at(story, {"name"}));
    Kept kept;
    for (const json::Value& step : array_at(story, {"steps"})) {
      if (text_at(step, {"do"}) == "SETTLE") {
        settle(server);
        const json::Array& targets = array_at(step, {"at"});
        for (std::size_t i = 0; i < targets.size(); ++i) {
          EXPECT_EQ(seen(server, *targets[i].as_string()).dump(),
                    array_at(step, {"objects"})[i].dump())
              << targets[i].dump();
        }
        continue;
      }
      need_namespace(server, text_at(step, {"at"}));
      const Outcome outcome = play(server, step, kept);
      keep(step, outcome.answer, kept);
      EXPECT_EQ(outcome.status, *step.find("status")->as_int()) << outcome.answer.dump();
    }
  }
}

TEST(KubeServerFields, AnObjectWithoutAnApplyHasNoRecordOfManagers) {
  TestServer test;
  test.create_pod("a");
  test.patch("a", R"({"metadata":{"labels":{"x":"1"}}})");
  EXPECT_EQ(test.get(kPods + "/a").body.find("metadata")->find("managedFields"), nullptr);
}

TEST(KubeServerFields, TheFirstApplyAssignsExistingFieldsToAManagerThatUpdates) {
  TestServer test;
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  test.send("POST", maps, R"({"metadata":{"name":"c"},"data":{"x":"1"}})");
  const auto apply = [&](std::string_view data, std::string_view query) {
    return test.send(
        "PATCH",
        fmt::format("{}/c?fieldManager=me{}", maps, query),
        fmt::format(
            R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"c"}},"data":{}}})",
            data),
        "application/apply-patch+yaml");
  };
  const Answer refused = apply(R"({"x":"2"})", "");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.text({"message"}),
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.x");
  EXPECT_EQ(apply(R"({"x":"2"})", "&force=true").status, 200);
  // From now on every write is recorded.
  test.send("PATCH", maps + "/c", R"({"data":{"y":"1"}})", kMerge);
  EXPECT_EQ(apply(R"({"x":"2","y":"2"})", "").status, 409);
}

}  // namespace
}  // namespace models::kube
