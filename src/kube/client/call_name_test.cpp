// SPDX-License-Identifier: Apache-2.0
#include "kube/client/call_name.h"

#include "kube/client/request.h"

#include <gtest/gtest.h>

namespace kube::inline client {
namespace {

TEST(CallName, ContainsTheVerbAndResourceWithoutTheObject) {
  using namespace std::chrono_literals;
  const Selection pods{kPods, "", "", "spec.schedulerName=s"};
  const struct {
    std::string method, target, want;
  } rows[] = {
      {"GET", list_path(pods, 500, ""), "LIST pods"},
      {"GET", watch_path(pods, "7", 290s), "WATCH pods"},
      {"GET", list_path({kNodes, "", "", ""}, 500, "x"), "LIST nodes"},
      {"GET", object_path(kPods, {"a", "b"}), "GET pods"},
      {"PATCH", object_path(kPods, {"a", "watch"}, "status"), "PATCH pods/status"},
      {"POST", object_path(kPods, {"a", "b"}, "binding"), "POST pods/binding"},
      {"POST", collection_path(kEvents, "a"), "POST events"},
      {"PATCH", object_path(kLeases, {"a", "b"}), "PATCH leases"},
      {"GET", object_path(kNamespaces, {"", "kube-system"}), "GET namespaces"},
      {"GET", "/version", "GET other"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(call_name(net::http::Request(row.method, row.target)), row.want) << row.target;
}

}  // namespace
}  // namespace kube::inline client
