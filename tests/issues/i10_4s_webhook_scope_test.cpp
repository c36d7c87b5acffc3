// SPDX-License-Identifier: Apache-2.0
// 10.4s, baseline 9.4: with the admission process down, no pod of the cluster could be created or
// changed, not even to remove a finalizer.
#include "source_tree.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string manifest(const std::string& name) {
  std::ifstream file(in_source_tree("deploy/webhook/" + name));
  return {std::istreambuf_iterator<char>(file), {}};
}
int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Weakness104s, TheWebhooksAreAskedForOurPodsOnly) {
  for (const char* name : {"mutating.yaml", "validating.yaml"}) {
    const std::string text = manifest(name);
    EXPECT_EQ(count(text, "- name: pods"), 2) << name;
    EXPECT_EQ(count(text, "namespaceSelector: ${MANAGED_NAMESPACES}"), 1) << name;
    EXPECT_EQ(count(text, "namespaceSelector: ${OTHER_NAMESPACES}"), 1) << name;
    EXPECT_EQ(count(text, "expression: object.spec.schedulerName == '${SCHEDULER_NAME}'"), 1)
        << name;
  }
}

TEST(Weakness104s, AChangeIsShownToUsOnlyIfItIsOfOurs) {
  EXPECT_TRUE(manifest("mutating.yaml").contains("operations: [CREATE] "));
  const std::string text = manifest("validating.yaml");
  EXPECT_EQ(count(text, "something-of-ours\n"), 3) << "defined once, used by both";
  EXPECT_FALSE(text.contains("finalizers"));
  EXPECT_TRUE(
      text.contains("== 'resize' &&\n      object.spec.schedulerName == '${SCHEDULER_NAME}'"));
}

}  // namespace
