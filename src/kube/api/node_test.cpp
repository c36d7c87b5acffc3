// SPDX-License-Identifier: Apache-2.0
#include "kube/api/node.h"

#include <gtest/gtest.h>

namespace kube::inline api {
namespace {

using Names = std::vector<std::string>;

Names cordoned_by(const std::string& managed,
                  const std::string& spec = R"({"unschedulable":true})") {
  json::Parser parser;
  const auto text = R"({"metadata":{"name":"n")" + managed + R"(},"spec":)" + spec + "}";
  const auto node = decode_object<Node>(*parser.parse(text));
  EXPECT_TRUE(node.ok());
  return node.ok() ? node->cordoned_by : Names{};
}

// As kube-apiserver 1.36 sends it.
constexpr const char* kManaged =
    R"(,"managedFields":[{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":)"
    R"({"f:labels":{".":{},"f:type":{}}}},"manager":"kwok","operation":"Update"},)"
    R"({"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:unschedulable":{}}},)"
    R"("manager":"kubectl-cordon","operation":"Update","time":"2026-11-16T13:00:00Z"},)"
    R"({"fieldsV1":{"f:spec":{"f:taints":{}}},"manager":"kube-controller-manager"}])";

TEST(Node, HasTheFieldManagerThatCordonedIt) {
  EXPECT_EQ(cordoned_by(kManaged), Names{"kubectl-cordon"});
  EXPECT_EQ(cordoned_by(kManaged, "{}"), Names{});
}

TEST(Node, AnUnknownFieldManagerIsNotAnError) {
  for (const char* odd : {"",
                          R"(,"managedFields":null)",
                          R"(,"managedFields":[{}])",
                          R"(,"managedFields":{"manager":3})"})
    EXPECT_EQ(cordoned_by(odd), Names{}) << odd;
  EXPECT_EQ(cordoned_by(R"(,"managedFields":[{"fieldsV1":{"f:spec":{"f:unschedulable":{}}}}])"),
            Names{""})
      << "an entry without a manager";
}

}  // namespace
}  // namespace kube::inline api
