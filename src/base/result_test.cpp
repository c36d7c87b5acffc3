// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <coroutine>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace base {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error(Kind::invalid, std::to_string(n) + " is odd");
  return n / 2;
}

Result<void> even(int n) {
  TRY_VOID(half(n));
  return {};
}

Result<std::string> quarter(int n) {
  TRY(const int once, half(n));
  TRY(const int twice, half(once));
  return std::to_string(twice);
}

Result<int> halves_twice_if_even(int n) {
  TRY_VOID(even(n));
  int result = 0;
  TRY(result, half(n));
  return result;
}

// The smallest coroutine that can co_return a Result.
struct Eager {
  struct promise_type {
    Result<int> outcome = 0;
    Eager get_return_object() { return Eager{this}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(Result<int> value) { outcome = std::move(value); }
    void unhandled_exception() { std::terminate(); }
  };
  explicit Eager(promise_type* promise) : promise(promise) {}
  Eager(const Eager&) = delete;
  Eager& operator=(const Eager&) = delete;
  ~Eager() { std::coroutine_handle<promise_type>::from_promise(*promise).destroy(); }
  promise_type* promise;
};

Eager quarter_in_a_coroutine(int n) {
  CO_TRY_VOID(even(n));
  CO_TRY(const int once, half(n));
  CO_TRY(const int twice, half(once));
  co_return twice;
}

TEST(Result, holds_a_value_or_an_error) {
  const Result<int> good = half(8);
  EXPECT_TRUE(good.ok());
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const Result<int> bad = half(7);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().message(), "7 is odd");
  EXPECT_EQ(Result<std::string>("abc")->size(), 3U);
}

TEST(Result, a_void_result_is_success_or_an_error) {
  EXPECT_TRUE(even(2).ok());
  EXPECT_FALSE(even(3));
  EXPECT_TRUE(even(3).error().is(Kind::invalid));
}

TEST(Result, moves_values_that_cannot_be_copied) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, try_returns_the_first_error_and_continues_otherwise) {
  EXPECT_EQ(quarter(12).value(), "3");
  EXPECT_EQ(quarter(6).error().message(), "3 is odd");
  EXPECT_EQ(quarter(5).error().message(), "5 is odd");
  EXPECT_EQ(*halves_twice_if_even(10), 5);
  EXPECT_FALSE(halves_twice_if_even(9).ok());
}

TEST(Result, try_does_the_same_in_a_coroutine) {
  EXPECT_EQ(*quarter_in_a_coroutine(12).promise->outcome, 3);
  EXPECT_EQ(quarter_in_a_coroutine(6).promise->outcome.error().message(), "3 is odd");
  EXPECT_EQ(quarter_in_a_coroutine(5).promise->outcome.error().message(), "5 is odd");
}

TEST(ResultDeathTest, reading_the_absent_side_aborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((void)half(7).value(), "");
  EXPECT_DEATH((void)half(8).error(), "");
  EXPECT_DEATH((void)even(2).error(), "");
}

Result<int> sum_until_the_first_error(const std::vector<Result<int>>& steps) {
  int sum = 0;
  for (const Result<int>& step : steps) {
    TRY(const int value, step);
    sum += value;
  }
  return sum;
}

RC_GTEST_PROP(Result, a_chain_returns_its_first_error, ()) {
  const auto wanted = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 100));
  std::vector<Result<int>> steps;
  for (const int value : wanted) {
    if (value < 0) steps.emplace_back(Error(Kind::internal, std::to_string(value)));
    if (value >= 0) steps.emplace_back(value);
  }
  const Result<int> outcome = sum_until_the_first_error(steps);
  const auto bad = std::ranges::find_if(wanted, [](int value) { return value < 0; });
  RC_ASSERT(outcome.ok() == (bad == wanted.end()));
  if (outcome.ok()) RC_ASSERT(*outcome == std::accumulate(wanted.begin(), wanted.end(), 0));
  if (!outcome.ok()) RC_ASSERT(outcome.error().message() == std::to_string(*bad));
}

}  // namespace
}  // namespace base
