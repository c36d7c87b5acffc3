// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/placement.h"

#include <gtest/gtest.h>

namespace slurmop::settle {
namespace {

json::Value parsed(std::string_view text) {
  return json::parse(text).value();
}

constexpr std::string_view kOnly =
    R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
    R"({"matchExpressions":[{"key":"node-role.kubernetes.io/control-plane",)"
    R"("operator":"DoesNotExist"}]}]}}})";

struct Row {
  std::string_view what;
  std::string_view affinity;
  std::string_view want;
};

// @ is the expression that excludes control-plane nodes; ~ the long name of the required terms.
std::string with_names(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '@')
      out += R"({"key":"node-role.kubernetes.io/control-plane","operator":"DoesNotExist"})";
    else if (c == '~')
      out += R"("requiredDuringSchedulingIgnoredDuringExecution")";
    else
      out += c;
  }
  return out;
}

TEST(Placement, every_term_of_an_existing_affinity_excludes_the_control_plane) {
  const Row kRows[] = {
      {"no affinity", "null", kOnly},
      {"an empty one", "{}", kOnly},
      {"null members", R"({"nodeAffinity":{~:null}})", kOnly},
      {"pod affinity is kept",
       R"({"podAntiAffinity":{"x":1}})",
       R"({"podAntiAffinity":{"x":1},"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchExpressions":[@]}]}}})"},
      {"preferences are kept",
       R"({"nodeAffinity":{"preferred":[1]}})",
       R"({"nodeAffinity":{"preferred":[1],~:{"nodeSelectorTerms":[{"matchExpressions":[@]}]}}})"},
      {"two terms",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchExpressions":[1]},{"matchExpressions":[2,3]}]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchExpressions":[1,@]},{"matchExpressions":[2,3,@]}]}}})"},
      {"a term with fields only",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchFields":[1]}]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchFields":[1],"matchExpressions":[@]}]}}})"},
      {"an empty term allows no node and stays so",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{},{"matchExpressions":[]},{"matchExpressions":[1]}]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{},{"matchExpressions":[]},{"matchExpressions":[1,@]}]}}})"},
      {"already excluded",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchExpressions":[@]}]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[{"matchExpressions":[@]}]}}})"},
      {"no terms at all: the API server reports it",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[]}}})"},
      {"not an affinity", R"([1])", R"([1])"},
      {"not a node affinity", R"({"nodeAffinity":3})", R"({"nodeAffinity":3})"},
      {"not a term",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[7]}}})",
       R"({"nodeAffinity":{~:{"nodeSelectorTerms":[7]}}})"},
  };
  for (const Row& row : kRows) {
    const json::Value got = without_control_plane(parsed(with_names(row.affinity)));
    EXPECT_EQ(got.dump(), parsed(with_names(row.want)).dump()) << row.what;
  }
}

api::SlurmClusterSpec with_filter(std::string_view tolerations) {
  api::SlurmClusterSpec spec;
  spec.k8sNodeFilters = {{.name = "a",
                          .affinity = {},
                          .nodeSelector = {{"pool", "cpu"}},
                          .tolerations = *parsed(tolerations).as_array()}};
  return spec;
}

TEST(Placement, a_toleration_of_the_taint_opens_the_control_plane) {
  for (const char* tolerations :
       {R"([{"key":"node-role.kubernetes.io/control-plane","operator":"Exists"}])",
        R"([{"key":"x"},{"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}])",
        R"([{"operator":"Exists"}])"}) {
    const Placement placement = placement_of(with_filter(tolerations), "a", "", {});
    EXPECT_TRUE(placement.affinity.is_null()) << tolerations;
  }
  for (const char* tolerations : {R"([])",
                                  R"([{"key":"nvidia.com/gpu","operator":"Exists"}])",
                                  R"([{"operator":"Equal"}])",
                                  R"([3])"}) {
    const Placement placement = placement_of(with_filter(tolerations), "a", "", {});
    EXPECT_EQ(placement.affinity.dump(), kOnly) << tolerations;
    EXPECT_EQ(placement.tolerations.size(), parsed(tolerations).as_array()->size());
  }
}

TEST(Placement, a_component_has_the_placement_of_its_filter) {
  const Placement placement = placement_of(with_filter("[]"), "a", "high", false);
  EXPECT_EQ(placement.node_selector.at("pool"), "cpu");
  EXPECT_EQ(placement.priority_class, "high");
  EXPECT_EQ(placement.host_users, std::optional(false));
}

TEST(Placement, without_a_filter_all_nodes_but_the_control_plane_are_allowed) {
  const Placement placement = placement_of(with_filter("[]"), "", "", {});
  EXPECT_TRUE(placement.node_selector.empty());
  EXPECT_EQ(placement.affinity.dump(), kOnly);
}

TEST(Placement, a_node_set_has_its_own_placement) {
  api::NodeSetSpec spec;
  spec.nodeSelector = {{"gpu", "yes"}};
  spec.priorityClass = "low";
  EXPECT_EQ(placement_of(spec).affinity.dump(), kOnly);
  EXPECT_EQ(placement_of(spec).host_users, std::nullopt);
  spec.enableHostUserNamespace = true;
  spec.tolerations = {parsed(R"({"operator":"Exists"})")};
  const Placement placement = placement_of(spec);
  EXPECT_TRUE(placement.affinity.is_null());
  EXPECT_EQ(placement.host_users, std::optional(true));
  EXPECT_EQ(placement.node_selector.at("gpu"), "yes");
  EXPECT_EQ(placement.priority_class, "low");
}

}  // namespace
}  // namespace slurmop::settle
