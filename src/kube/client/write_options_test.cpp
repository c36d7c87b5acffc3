// SPDX-License-Identifier: Apache-2.0
#include "kube/client/write_options.h"

#include <gtest/gtest.h>

namespace kube::inline client {
namespace {

TEST(WriteOptions, AnApplyContainsManagerAndForce) {
  EXPECT_EQ(write_query({}), "");
  EXPECT_EQ(write_query({"me", DryRun::yes}), "?fieldManager=me&dryRun=All");
  EXPECT_EQ(apply_query({"a b", Conflicts::force}), "?fieldManager=a%20b&force=true");
  EXPECT_EQ(apply_query({"me", Conflicts::refuse, DryRun::yes}), "?fieldManager=me&dryRun=All");
}

TEST(WriteOptions, ADeleteContainsItsPreconditions) {
  EXPECT_EQ(json::Value(delete_body({})).dump(), R"({"apiVersion":"v1","kind":"DeleteOptions"})");
  DeleteOptions options;
  options.uid = Uid("u");
  options.resource_version = "7";
  options.propagation = Propagation::foreground;
  options.grace_period = std::chrono::seconds(0);
  options.dry_run = DryRun::yes;
  EXPECT_EQ(json::Value(delete_body(options)).dump(),
            R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u",)"
            R"("resourceVersion":"7"},"propagationPolicy":"Foreground","gracePeriodSeconds":0,)"
            R"("dryRun":["All"]})");
}

TEST(WriteOptions, AnEvictionContainsTheOptionsOfItsDelete) {
  DeleteOptions options;
  options.uid = Uid("u");
  EXPECT_EQ(
      json::Value(eviction_body({"a", "p"}, options)).dump(),
      R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p","namespace":"a"},)"
      R"("deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions",)"
      R"("preconditions":{"uid":"u"}}})");
}

TEST(WriteOptions, ABindingIsForOnePodOnly) {
  const Binding binding{NodeName("k001"), Uid("u"), "7", {{"x", "y"}}};
  EXPECT_EQ(json::Value(binding_body({"a", "b"}, binding)).dump(),
            R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"b","namespace":"a",)"
            R"("uid":"u","resourceVersion":"7","annotations":{"x":"y"}},)"
            R"("target":{"apiVersion":"v1","kind":"Node","name":"k001"}})");
  EXPECT_EQ(json::Value(binding_body({"a", "b"}, {NodeName("k001")})).dump(),
            R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"b","namespace":"a"},)"
            R"("target":{"apiVersion":"v1","kind":"Node","name":"k001"}})");
}

}  // namespace
}  // namespace kube::inline client
