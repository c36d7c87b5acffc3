// SPDX-License-Identifier: Apache-2.0
// Parses the output with a reader that only knows the text format.
#include "telemetry/exposition.h"

#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace telemetry {
namespace {

using Labels = std::map<std::string, std::string>;

struct Sample {
  std::string name;
  Labels labels;
  double value;
};

struct Exposition {
  std::map<std::string, std::string> types;
  std::map<std::string, std::string> helps;
  std::vector<Sample> samples;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<Exposition> read() {
    Exposition all;
    while (!rest_.empty()) {
      if (take("# HELP ")) {
        const std::string name = until(' ');
        all.helps[name] = unescaped_line();
      } else if (take("# TYPE ")) {
        const std::string name = until(' ');
        if (all.types.contains(name)) return std::nullopt;
        all.types[name] = until('\n');
      } else {
        auto sample = read_sample();
        if (!sample) return std::nullopt;
        all.samples.push_back(std::move(*sample));
      }
    }
    return all;
  }

 private:
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  std::string until(char end) {
    const auto place = std::min(rest_.find(end), rest_.size());
    std::string text(rest_.substr(0, place));
    rest_.remove_prefix(std::min(place + 1, rest_.size()));
    return text;
  }
  // Up to a line break or, in a label, up to a quote without a preceding backslash.
  std::string unescaped(char end) {
    std::string text;
    while (!rest_.empty() && rest_.front() != end) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\' && !rest_.empty()) {
        c = rest_.front() == 'n' ? '\n' : rest_.front();
        rest_.remove_prefix(1);
      }
      text += c;
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return text;
  }
  std::string unescaped_line() { return unescaped('\n'); }

  std::optional<Sample> read_sample() {
    Sample sample;
    const auto end = rest_.find_first_of("{ ");
    if (end == std::string_view::npos) return std::nullopt;
    sample.name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (take("{")) {
      do {
        const std::string label = until('=');
        if (!take("\"") || !sample.labels.emplace(label, unescaped('"')).second)
          return std::nullopt;
      } while (take(","));
      if (!take("}")) return std::nullopt;
    }
    if (!take(" ")) return std::nullopt;
    const std::string number = until('\n');
    std::size_t read = 0;
    sample.value = std::stod(number, &read);
    if (read != number.size()) return std::nullopt;
    return sample;
  }

  std::string_view rest_;
};

double some_number() {
  return *rc::gen::oneOf(rc::gen::arbitrary<double>(),
                         rc::gen::element(0.0, -0.0, 1e300, INFINITY, -INFINITY, 0.1, 1e-9));
}

std::string some_text() {
  return *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(),
                     rc::gen::element('\n', '\\', '"', '{', '}', ',', '=', ' ', '#', '\r')));
}

RC_GTEST_PROP(ExpositionProperty, ARoundTripPreservesGauges, ()) {
  Metrics metrics;
  const std::string help = some_text();
  auto& family = metrics.gauges({"g", help, {"a", "b"}});
  std::map<std::pair<std::string, std::string>, double> expected;
  const int count = *rc::gen::inRange(1, 10);
  for (int i = 0; i < count; ++i) {
    const std::string a = some_text();
    const std::string b = some_text();
    const double value = some_number();
    family.with({a, b}).set(value);
    expected[{base::repair_utf8(a), base::repair_utf8(b)}] = value;
  }
  const std::string text = metrics.text();
  RC_ASSERT(base::is_utf8(text));
  const auto read = Reader(text).read();
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->types == (Labels{{"g", "gauge"}}));
  RC_ASSERT(read->helps == (Labels{{"g", base::repair_utf8(help)}}));
  RC_ASSERT(read->samples.size() == expected.size());
  for (const Sample& sample : read->samples) {
    RC_ASSERT(sample.name == "g");
    const auto place = expected.find({sample.labels.at("a"), sample.labels.at("b")});
    RC_ASSERT(place != expected.end());
    RC_ASSERT(sample.value == place->second);
  }
}

RC_GTEST_PROP(ExpositionProperty, ARoundTripPreservesHistograms, ()) {
  const std::vector<double> bounds = {-1, 0, 0.5, 2.5, 1e9};
  Metrics metrics;
  auto& family = metrics.histograms({"h", "H.", {"x"}}, bounds);
  const std::string label = some_text();
  Histogram& histogram = family.with({label});
  const auto seen = *rc::gen::container<std::vector<double>>(
      rc::gen::element(-2.0, -1.0, 0.0, 0.25, 0.5, 2.0, 1e9, 1e10));
  double sum = 0;
  for (const double value : seen) {
    histogram.observe(value);
    sum += value;
  }
  const auto read = Reader(metrics.text()).read();
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->types.at("h") == "histogram");
  std::map<double, double> buckets;
  for (const Sample& sample : read->samples) {
    RC_ASSERT(sample.labels.at("x") == base::repair_utf8(label));
    if (sample.name == "h_bucket") buckets[std::stod(sample.labels.at("le"))] = sample.value;
    if (sample.name == "h_sum") RC_ASSERT(sample.value == sum);
    if (sample.name == "h_count") RC_ASSERT(sample.value == static_cast<double>(seen.size()));
  }
  RC_ASSERT(buckets.size() == bounds.size() + 1);
  RC_ASSERT(read->samples.size() == bounds.size() + 3);
  for (const auto& [end, so_far] : buckets)
    RC_ASSERT(so_far == static_cast<double>(std::ranges::count_if(
                            seen, [limit = end](double value) { return value <= limit; })));
}

TEST(Exposition, InfinityAndNanHaveNames) {
  Metrics metrics;
  auto& family = metrics.gauges({"g", "", {"x"}});
  family.with({"nan"}).set(std::nan(""));
  family.with({"plus"}).set(INFINITY);
  family.with({"minus"}).set(-INFINITY);
  EXPECT_EQ(metrics.text(),
            "# HELP g \n# TYPE g gauge\ng{x=\"minus\"} -Inf\ng{x=\"nan\"} NaN\n"
            "g{x=\"plus\"} +Inf\n");
}

}  // namespace
}  // namespace telemetry
