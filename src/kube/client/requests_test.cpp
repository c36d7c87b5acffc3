// SPDX-License-Identifier: Apache-2.0
// Requests to the API server, and decoding of its answers.
#include "kube/api/pod.h"
#include "kube/client/client.h"
#include "kube/client/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline client {
namespace {

using base::Kind;
using testing::HasSubstr;

TEST(Request, PathsAreThoseOfTheApiServer) {
  EXPECT_EQ(object_path(kPods, {"a", "b"}), "/api/v1/namespaces/a/pods/b");
  EXPECT_EQ(object_path(kPods, {"a", "b"}, "binding"), "/api/v1/namespaces/a/pods/b/binding");
  EXPECT_EQ(object_path(kNodes, {"", "k001"}), "/api/v1/nodes/k001");
  EXPECT_EQ(list_path({kPods, "", "", "spec.schedulerName=x"}, 500, ""),
            "/api/v1/pods?limit=500&fieldSelector=spec.schedulerName%3Dx");
  EXPECT_EQ(watch_path({kNodes, "", "a=b", ""}, "17", std::chrono::seconds(290)),
            "/api/v1/nodes?watch=1&allowWatchBookmarks=true&timeoutSeconds=290&resourceVersion=17"
            "&labelSelector=a%3Db");
}

TEST(Request, ANameIsEncodedInItsPath) {
  EXPECT_EQ(object_path(kPods, {"a", "../../nodes/b?x="}),
            "/api/v1/namespaces/a/pods/..%2F..%2Fnodes%2Fb%3Fx%3D");
}

TEST(ErrorOf, FollowsTheStatusAndKeepsTheMessage) {
  const auto error =
      error_of(409, R"({"kind":"Status","message":"object was modified","code":409})", {});
  EXPECT_TRUE(error.is(Kind::conflict));
  EXPECT_EQ(error.message(), "object was modified");
  EXPECT_EQ(error.status(), 409);
  EXPECT_TRUE(error_of(404, "", {}).is(Kind::not_found));
  EXPECT_TRUE(error_of(410, "", {}).is(Kind::gone));
  EXPECT_TRUE(error_of(422, "", {}).is(Kind::invalid));
  EXPECT_TRUE(error_of(403, "", {}).is(Kind::forbidden));
  EXPECT_TRUE(error_of(401, "", {}).is(Kind::unauthorized));
  EXPECT_TRUE(error_of(503, "gateway says no", {}).is(Kind::unavailable));
  EXPECT_EQ(error_of(503, "gateway says no", {}).message(), "gateway says no");
  EXPECT_EQ(error_of(429, "", {{"Retry-After", "3"}}).retry_after(), std::chrono::seconds(3));
  EXPECT_EQ(error_of(429, "", {{"Retry-After", "soon"}}).retry_after(), std::nullopt);
}

TEST(Pod, IsDecodedWithItsQuantities) {
  json::Parser parser;
  const auto pod = decode_object<Pod>(
      *parser.parse(R"({"metadata":{"name":"p","namespace":"a","uid":"u","resourceVersion":"7",
      "deletionTimestamp":"2026-11-15T12:00:00Z","finalizers":["f"],"labels":{"l":"v"}},
      "spec":{"schedulerName":"s","containers":[{"name":"c","resources":{"requests":{"cpu":"500m","memory":1024}}}],
      "tolerations":[{"key":"k","operator":"Equal","value":"v","effect":"NoExecute"}]},
      "status":{"phase":"Failed"}})"));
  ASSERT_TRUE(pod.ok()) << pod.error().message();
  EXPECT_EQ(pod->metadata.key(), (ObjectKey{"a", "p"}));
  EXPECT_TRUE(pod->metadata.deleting());
  EXPECT_TRUE(pod->metadata.has_finalizer("f"));
  EXPECT_TRUE(pod->ended());
  EXPECT_EQ(pod->spec.containers[0].resources.requests.at("memory").value(), 1024);
  EXPECT_EQ(pod->spec.containers[0].resources.requests.at("cpu").value(), 1);
  EXPECT_EQ(pod->spec.tolerations[0].operator_, "Equal");
}

}  // namespace
}  // namespace kube::inline client
