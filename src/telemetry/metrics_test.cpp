// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace telemetry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Metrics, ArePrintedInThePrometheusFormat) {
  Metrics metrics;
  metrics.counter({"jobs_total", "Jobs that we\nsubmitted \\o/ \"all\"."}).add(3);
  metrics.gauge({"slurm_up", "Whether Slurm answers."}).set(-1.5);
  auto& answers = metrics.counters({"answers_total", "Answers.", {"status", "path"}});
  answers.with({"404", "a\"b\\c\nd"}).add();
  answers.with({"200", "/"}).add(2);
  Histogram& took = metrics.histogram({"took_seconds", "Time."}, {0.5, 1});
  for (const double seconds : {0.1, 0.5, 0.7, 100.0}) took.observe(seconds);
  EXPECT_EQ(metrics.text(),
            "# HELP answers_total Answers.\n"
            "# TYPE answers_total counter\n"
            "answers_total{status=\"200\",path=\"/\"} 2\n"
            "answers_total{status=\"404\",path=\"a\\\"b\\\\c\\nd\"} 1\n"
            "# HELP jobs_total Jobs that we\\nsubmitted \\\\o/ \"all\".\n"
            "# TYPE jobs_total counter\n"
            "jobs_total 3\n"
            "# HELP slurm_up Whether Slurm answers.\n"
            "# TYPE slurm_up gauge\n"
            "slurm_up -1.5\n"
            "# HELP took_seconds Time.\n"
            "# TYPE took_seconds histogram\n"
            "took_seconds_bucket{le=\"0.5\"} 2\n"
            "took_seconds_bucket{le=\"1\"} 3\n"
            "took_seconds_bucket{le=\"+Inf\"} 4\n"
            "took_seconds_sum 101.3\n"
            "took_seconds_count 4\n");
}

TEST(Metrics, AMetricWithLabelsButWithoutSeriesIsNotPrinted) {
  Metrics metrics;
  metrics.counters({"a_total", "A.", {"x"}});
  metrics.histograms({"b", "B.", {"x"}});
  metrics.counter({"c_total", "C."});
  EXPECT_EQ(metrics.text(), "# HELP c_total C.\n# TYPE c_total counter\nc_total 0\n");
}

TEST(Metrics, AReferenceToASeriesStaysValid) {
  Metrics metrics;
  auto& family = metrics.gauges({"g", "G.", {"x"}});
  Gauge& first = family.with({"a"});
  for (int i = 0; i < 1000; ++i) family.with({std::to_string(i)});
  first.set(7);
  EXPECT_EQ(family.with({"a"}).value(), 7);
}

TEST(Metrics, TheNumberOfSeriesIsBounded) {
  Metrics metrics;
  Described about{"pods_total", "Pods.", {"namespace", "reason"}};
  about.most_series = 10;
  auto& family = metrics.counters(about);
  for (int i = 0; i < 1000; ++i) family.with({std::to_string(i), "x"}).add();
  EXPECT_EQ(family.series().size(), 11U);
  EXPECT_EQ(family.with({"3", "x"}).value(), 1) << "the first combinations have their own series";
  EXPECT_EQ(family.with({"other", "other"}).value(), 990);
}

TEST(Metrics, InvalidUtf8InValuesIsRepaired) {
  Metrics metrics;
  metrics.gauges({"g", "G.", {"x"}}).with({"a\xff"}).set(1);
  EXPECT_THAT(metrics.text(), HasSubstr("g{x=\"a\xEF\xBF\xBD\"} 1\n"));
}

TEST(Metrics, ACounterNeverDecreases) {
  Counter counter;
  counter.add(2);
  counter.add(-1);
  counter.add(std::nan(""));
  EXPECT_EQ(counter.value(), 2);
  counter.raise_to(1);
  EXPECT_EQ(counter.value(), 2);
  counter.raise_to(5);
  EXPECT_EQ(counter.value(), 5);
}

TEST(Metrics, NanDoesNotAffectAHistogram) {
  Histogram histogram({1});
  histogram.observe(std::nan(""));
  histogram.observe(1);
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_EQ(histogram.in_range(0), 1U) << "the upper bound is inclusive";
  EXPECT_EQ(histogram.sum(), 1);
}

TEST(Metrics, AnInvalidDescriptionThrows) {
  const auto add = [](Described about) {
    Metrics metrics;
    metrics.gauges(std::move(about));
  };
  for (const char* name : {"", "1a", "a-b", "a b", "a\n", "\xc3\xa4"})
    EXPECT_THROW(add({name, "", {}}), std::logic_error) << name;
  for (const char* label : {"", "1a", "a-b", "a:b", "__name__", "le"})
    EXPECT_THROW(add({"a", "", {label}}), std::logic_error) << label;
  EXPECT_THROW(add({"a", "", {"x", "x"}}), std::logic_error);
  EXPECT_NO_THROW(add({"a:b_1", "", {"x", "_y1"}}));

  Metrics metrics;
  metrics.gauge({"a", ""});
  EXPECT_THROW(metrics.counter({"a", ""}), std::logic_error);
  metrics.histogram({"h", ""});
  EXPECT_THROW(metrics.counter({"h_sum", ""}), std::logic_error) << "printed by the histogram";
  EXPECT_THROW(metrics.histogram({"i", ""}, {1, 1}), std::logic_error);
  EXPECT_THROW(metrics.histogram({"j", ""}, {2, 1}), std::logic_error);
  EXPECT_THROW(metrics.histogram({"k", ""}, {1, std::numeric_limits<double>::infinity()}),
               std::logic_error);
}

TEST(Metrics, AreUpdatedWhenRead) {
  Metrics metrics;
  Gauge& gauge = metrics.gauge({"reads", ""});
  metrics.before_reading([&] { gauge.add(1); });
  EXPECT_THAT(metrics.text(), HasSubstr("reads 1\n"));
  EXPECT_THAT(metrics.text(), HasSubstr("reads 2\n"));
}

}  // namespace
}  // namespace telemetry
