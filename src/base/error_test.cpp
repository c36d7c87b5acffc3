// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace base {
namespace {

using namespace std::chrono_literals;

constexpr Kind kAll[] = {
    Kind::cancelled,
    Kind::unreachable,
    Kind::lost,
    Kind::unavailable,
    Kind::not_found,
    Kind::conflict,
    Kind::gone,
    Kind::too_many,
    Kind::unauthorized,
    Kind::forbidden,
    Kind::invalid,
    Kind::refused,
    Kind::protocol,
    Kind::internal,
};

TEST(Error, every_kind_has_a_unique_name) {
  std::set<std::string_view> names;
  for (const Kind kind : kAll) {
    EXPECT_NE(name(kind), "unknown");
    names.insert(name(kind));
  }
  EXPECT_EQ(names.size(), std::size(kAll));
}

TEST(Error, only_errors_that_pass_by_themselves_are_retried) {
  const std::set<Kind> pass = {Kind::unreachable,
                               Kind::lost,
                               Kind::unavailable,
                               Kind::too_many,
                               Kind::unauthorized,
                               Kind::protocol};
  for (const Kind kind : kAll) EXPECT_EQ(passes_by_itself(kind), pass.contains(kind)) << name(kind);
}

TEST(Error, prints_kind_and_message) {
  const Error error(Kind::conflict, "pod a/b changed");
  EXPECT_EQ(error.to_string(), "conflict: pod a/b changed");
  EXPECT_TRUE(error.is(Kind::conflict));
  EXPECT_FALSE(error.is(Kind::gone));
  EXPECT_EQ(error.status(), 0);
  EXPECT_EQ(error.code(), 0);
  EXPECT_EQ(error.retry_after(), std::nullopt);
}

TEST(Error, carries_status_code_and_retry_after) {
  const Error error =
      Error(Kind::too_many, "slow down").with_status(429).with_code(2015).with_retry_after(1500ms);
  EXPECT_EQ(error.status(), 429);
  EXPECT_EQ(error.code(), 2015);
  EXPECT_EQ(error.retry_after(), 1500ms);
}

TEST(Error, layers_prefix_their_context) {
  const Error error = Error(Kind::conflict, "uid differs").in("bind pod a/b").in("workload w");
  EXPECT_EQ(error.to_string(), "conflict: workload w: bind pod a/b: uid differs");
}

RC_GTEST_PROP(Error, context_changes_only_the_message, ()) {
  const auto kind = *rc::gen::element(Kind::lost, Kind::not_found, Kind::refused, Kind::too_many);
  const auto message = *rc::gen::string<std::string>();
  const auto layers = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  const int status = *rc::gen::inRange(0, 600);
  const int code = *rc::gen::inRange(-1, 9999);
  Error error = Error(kind, message).with_status(status).with_code(code).with_retry_after(7ms);
  std::string text = message;
  for (const std::string& layer : layers) {
    error = std::move(error).in(layer);
    text = layer + ": " + text;
  }
  RC_ASSERT(error.message() == text);
  RC_ASSERT(error.to_string() == std::string(name(kind)) + ": " + text);
  RC_ASSERT(error.kind() == kind);
  RC_ASSERT(error.status() == status);
  RC_ASSERT(error.code() == code);
  RC_ASSERT(error.retry_after() == 7ms);
}

}  // namespace
}  // namespace base
