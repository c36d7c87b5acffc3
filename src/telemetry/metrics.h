// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Metrics of this process for Prometheus. One thread, no locks.
namespace telemetry {

// A counter: never decreases.
class Counter {
 public:
  void add(double by = 1);
  // For a number that is counted elsewhere; smaller values are ignored.
  void raise_to(double value);
  double value() const { return value_; }

 private:
  double value_ = 0;
};

class Gauge {
 public:
  void set(double value) { value_ = value; }
  void add(double by) { value_ += by; }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

// A histogram of observations.
class Histogram {
 public:
  // Expects     ascending upper bounds; observations above the last bound are counted too.
  explicit Histogram(std::vector<double> bounds);

  void observe(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // Count of the range that ends with bounds()[i]; the last range has no upper bound.
  std::uint64_t in_range(std::size_t i) const { return counts_[i]; }
  double sum() const { return sum_; }
  std::uint64_t count() const { return count_; }

  // From 1 ms to 10 s: for durations.
  static std::vector<double> seconds();

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;  // one more than bounds
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

// Name, help and label names of a metric.
struct Described {
  std::string name;
  std::string help;
  std::vector<std::string> labels = {};
  // Above this number of label combinations, all further ones share one series whose values are
  // "other": a label can exhaust neither our memory nor that of Prometheus.
  std::size_t most_series = 200;
};

// All series of one metric.
template <class Metric>
class Family {
 public:
  Family(Described about, std::function<Metric()> make)
      : about_(std::move(about)), make_(std::move(make)) {}

  // Returns the series of these values, in the order of the labels. The reference stays valid.
  // Invalid UTF-8 is repaired. Expects as many values as labels; aborts otherwise.
  Metric& with(std::initializer_list<std::string_view> values);

  const Described& about() const { return about_; }
  const std::map<std::vector<std::string>, Metric>& series() const { return series_; }

 private:
  Described about_;
  std::function<Metric()> make_;
  std::map<std::vector<std::string>, Metric> series_;
};

// The metrics of the process. References that it returns are valid as long as it lives.
//
//   telemetry::Counter& submitted = metrics.counter({"jobs_submitted_total", "Submitted jobs."});
//   auto& answers = metrics.counters({"answers_total", "Answers by status.", {"status"}});
//   answers.with({"200"}).add();
//
// Expects     names and labels that Prometheus allows, each name once; throws std::logic_error
//             otherwise: a bug that shows at start-up.
class Metrics {
 public:
  Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Without labels: exposed from the start, so that zero is visible.
  Counter& counter(Described about) { return counters(std::move(about)).with({}); }
  Gauge& gauge(Described about) { return gauges(std::move(about)).with({}); }
  Histogram& histogram(Described about, std::vector<double> bounds = Histogram::seconds()) {
    return histograms(std::move(about), std::move(bounds)).with({});
  }

  Family<Counter>& counters(Described about);
  Family<Gauge>& gauges(Described about);
  Family<Histogram>& histograms(Described about, std::vector<double> bounds = Histogram::seconds());

  // Called at the beginning of each text(), to update metrics.
  void before_reading(std::function<void()> update) { updates_.push_back(std::move(update)); }

  // All metrics in Prometheus' text format (version 0.0.4), ordered by name.
  std::string text() const;

 private:
  using Print = std::function<void(std::string& out)>;

  template <class Metric>
  Family<Metric>& add(Described about, std::function<Metric()> make);
  void reserve(const std::string& name);

  std::set<std::string> names_;  // of everything that is printed
  std::map<std::string, Print> printers_;
  std::vector<std::function<void()>> updates_;
};

}  // namespace telemetry
