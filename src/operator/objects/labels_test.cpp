// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/labels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace slurmop::objects {
namespace {

TEST(Labels, are_those_of_the_reference) {
  EXPECT_EQ(labels("demo", "controller"),
            (Labels{{"app.kubernetes.io/name", "slurmcluster"},
                    {"app.kubernetes.io/instance", "demo"},
                    {"app.kubernetes.io/component", "controller"},
                    {"app.kubernetes.io/part-of", "slurm-operator"},
                    {"app.kubernetes.io/managed-by", "slurm-operator"}}));
}

TEST(Labels, a_selector_is_a_part_of_the_labels) {
  const Labels all = labels("demo", "login");
  EXPECT_EQ(selector("demo", "login").size(), 3U);
  for (const auto& [name, value] : selector("demo", "login")) EXPECT_EQ(all.at(name), value);
}

TEST(Labels, every_object_matches_the_selector_of_managed_objects) {
  const Labels all = labels("demo", "login");
  EXPECT_EQ(fmt::format("{}={}", kManagedBy, all.at(std::string(kManagedBy))), kManagedSelector);
}

}  // namespace
}  // namespace slurmop::objects
