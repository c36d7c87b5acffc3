// SPDX-License-Identifier: Apache-2.0
#include "workload/node_selector.h"

#include <gtest/gtest.h>

namespace workload {
namespace {

using Requirement = kube::NodeSelectorRequirement;
using Term = kube::NodeSelectorTerm;

kube::Node sample() {
  kube::Node node;
  node.metadata.name = "n1";
  node.metadata.labels = {{"zone", "a"}, {"gpus", "8"}, {"empty", ""}, {"word", "x"}};
  return node;
}

kube::NodeSelector labels(std::vector<Requirement> all) {
  return {{Term{std::move(all), {}}}};
}

TEST(NodeSelector, EachOperatorMeansWhatKubernetesMeans) {
  struct Row {
    Requirement wanted;
    bool selected;
  };
  const Row kRows[] = {
      {{"zone", "In", {"a", "b"}}, true},    {{"zone", "In", {"b"}}, false},
      {{"zone", "In", {}}, false},           {{"none", "In", {"a"}}, false},
      {{"empty", "In", {""}}, true},         {{"zone", "NotIn", {"a"}}, false},
      {{"zone", "NotIn", {"b"}}, true},      {{"none", "NotIn", {"a"}}, true},
      {{"empty", "Exists", {}}, true},       {{"none", "Exists", {}}, false},
      {{"zone", "DoesNotExist", {}}, false}, {{"none", "DoesNotExist", {}}, true},
      {{"gpus", "Gt", {"7"}}, true},         {{"gpus", "Gt", {"8"}}, false},
      {{"gpus", "Lt", {"9"}}, true},         {{"gpus", "Lt", {"8"}}, false},
      {{"gpus", "Lt", {"nine"}}, false},     {{"gpus", "Gt", {"1", "2"}}, false},
      {{"word", "Gt", {"1"}}, false},        {{"none", "Lt", {"9"}}, false},
      {{"zone", "Like", {"a"}}, false},      {{"zone", "", {}}, false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(selects(labels({row.wanted}), sample()), row.selected)
        << to_text(labels({row.wanted}));
  }
}

TEST(NodeSelector, OfATermAllOfTheTermsAnyAndNothingSelectsNothing) {
  const Requirement yes{"zone", "In", {"a"}};
  const Requirement no{"zone", "In", {"b"}};
  EXPECT_FALSE(selects(labels({yes, no}), sample()));
  EXPECT_TRUE(selects({{Term{{no}, {}}, Term{{yes}, {}}}}, sample()));
  EXPECT_FALSE(selects({}, sample()));
  EXPECT_FALSE(selects({{Term{}}}, sample()));
  EXPECT_TRUE(selects({{Term{}, Term{{yes}, {}}}}, sample()));
}

TEST(NodeSelector, OfTheFieldsOnlyTheNameIsKnown) {
  EXPECT_TRUE(selects({{Term{{}, {{"metadata.name", "In", {"n1"}}}}}}, sample()));
  EXPECT_FALSE(selects({{Term{{}, {{"metadata.name", "NotIn", {"n1"}}}}}}, sample()));
  EXPECT_FALSE(selects({{Term{{}, {{"spec.unschedulable", "Exists", {}}}}}}, sample()));
  EXPECT_FALSE(
      selects({{Term{{{"zone", "In", {"b"}}}, {{"metadata.name", "In", {"n1"}}}}}}, sample()));
}

TEST(NodeSelector, HasAReadableText) {
  EXPECT_EQ(to_text({{Term{{{"zone", "In", {"a", "b"}}, {"gpu", "Exists", {}}}, {}},
                      Term{{}, {{"metadata.name", "In", {"n1"}}}}}}),
            "zone In [a,b] and gpu Exists, or metadata.name In [n1]");
  EXPECT_EQ(to_text(kube::NodeSelector()), "nothing");
}

TEST(NodeSelector, HasAShortTextHoweverLongItIs) {
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) names.push_back("n" + std::to_string(i));
  EXPECT_EQ(to_text({{Term{{}, {{"metadata.name", "In", names}}}}}),
            "metadata.name In [n0,n1,n2,n3,n4,n5,n6,n7 and 492 more]");
  const std::vector<Term> terms(10, Term{{{"a", "Exists", {}}}, {}});
  EXPECT_EQ(to_text(kube::NodeSelector{terms}),
            "a Exists, or a Exists, or a Exists, or a Exists, or 6 more");
}

}  // namespace
}  // namespace workload
