// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/face.h"

#include "models/kubectl/protobuf.h"
#include "models/kubectl/table.h"
#include "models/testing/kube.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace models::kubectl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::kPods;
using testing::TestServer;
using namespace std::chrono_literals;

struct Face : TestServer {
  KubectlFace face{server, clock};

  json::Value document(std::string target) {
    const auto response = face.handle({"GET", std::move(target)});
    EXPECT_EQ(response.status, 200);
    return *json::parse(response.body);
  }
};

std::vector<std::string> names(const json::Array& list) {
  std::vector<std::string> all;
  for (const json::Value& one : list) all.emplace_back(kube::text_at(one, {"name"}));
  return all;
}

TEST(KubectlFace, CannotBeMistakenForACluster) {
  Face face;
  EXPECT_EQ(kube::text_at(face.document("/version?timeout=32s"), {"gitVersion"}),
            "v1.36.0-sandbox");
}

TEST(KubectlFace, ServesDiscovery) {
  Face face;
  EXPECT_THAT(names(kube::array_at(face.document("/api/v1"), {"resources"})),
              Contains("pods/binding"));
  EXPECT_THAT(names(kube::array_at(face.document("/apis"), {"groups"})),
              Contains("coordination.k8s.io"));
  EXPECT_THAT(names(kube::array_at(face.document("/apis/batch/v1"), {"resources"})),
              Contains("jobs"));
  EXPECT_EQ(kube::text_at(face.document("/apis/batch"), {"kind"}), "APIGroup");
  face.server.add_collection({"x.example.com", "v1", "widgets", "Widget"});
  EXPECT_THAT(names(kube::array_at(face.document("/apis/x.example.com/v1"), {"resources"})),
              Contains("widgets"));
}

TEST(KubectlFace, LeavesValidationToTheServer) {
  Face face;
  const json::Value index = face.document("/openapi/v3?timeout=32s");
  const std::string_view url = kube::text_at(index, {"paths", "api/v1", "serverRelativeURL"});
  EXPECT_THAT(face.document(std::string(url)).dump(), HasSubstr(R"("name":"fieldValidation")"));
}

TEST(KubectlFace, ReportsThatThereAreNoLogs) {
  Face face;
  face.create_pod("a");
  const auto response = face.face.handle({"GET", kPods + "/a/log?container=c"});
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("no containers"));
}

TEST(KubectlFace, AWatchForATableGetsRows) {
  Face face;
  face.create_pod("a");
  net::http::Request request("GET", kPods + "?watch=1");
  kube::WatchCursor cursor = face.watch(request.target);
  std::string lines;
  ASSERT_EQ(face.server.read_watch(cursor, lines, 9), 1U);
  EXPECT_EQ(face.face.watch_lines(request, lines), lines);
  request.headers.emplace_back("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
  const auto event = json::parse(face.face.watch_lines(request, lines));
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(kube::text_at(*event, {"type"}), "ADDED");
  EXPECT_EQ(kube::text_at(*event, {"object", "kind"}), "Table");
  EXPECT_EQ(kube::array_at(*event, {"object", "rows"}).size(), 1U);
}

TEST(KubectlFace, TakesANamespaceAsKubectlSendsIt) {
  Face face;
  // kind and apiVersion, then a Namespace with name "foo" and label a=b.
  const std::string object = std::string("\x0a\x0f\x0a\x03") + "foo" + "\x5a\x06\x0a\x01" + "a" +
                             "\x12\x01" + "b" + std::string("\x12\x00\x1a\x00", 4);
  net::http::Request request("POST",
                             "/api/v1/namespaces",
                             std::string("k8s\0", 4) + "\x0a\x0f\x0a\x02v1\x12\x09Namespace" +
                                 std::string("\x12\x17", 2) + object);
  request.headers.emplace_back("Content-Type", std::string(kProtobuf));
  request.body.replace(request.body.find('\x17'), 1, 1, static_cast<char>(object.size()));
  const auto response = face.face.handle(request);
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(
      kube::text_at(*face.server.find({"namespaces", "", "foo"}), {"metadata", "labels", "a"}),
      "b");
  request.body = "k8s";
  EXPECT_EQ(face.face.handle(request).status, 415);
  for (std::size_t cut = 0; cut < object.size(); ++cut) (void)read_protobuf(object.substr(0, cut));
}

TEST(KubectlTable, AnAgeHasAtMostTwoUnits) {
  const base::WallTime then(1'700'000'000s);
  const struct {
    std::chrono::seconds after;
    const char* text;
  } rows[] = {{0s, "0s"},
              {119s, "119s"},
              {120s, "2m"},
              {9min + 59s, "9m59s"},
              {10min + 59s, "10m"},
              {179min, "179m"},
              {3h + 20min, "3h20m"},
              {8h + 20min, "8h"},
              {47h, "47h"},
              {49h, "2d1h"},
              {24h * 8 + 5h, "8d"},
              {24h * 800, "2y70d"},
              {24h * 3650, "10y"},
              {-5s, "<invalid>"}};
  for (const auto& row : rows) EXPECT_EQ(age("2023-11-14T22:13:20Z", then + row.after), row.text);
  EXPECT_EQ(age("", then), "<unknown>");
}

}  // namespace
}  // namespace models::kubectl
