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

// Numbers about this process for Prometheus. One thread, no locks.
namespace telemetry {

// Only goes up.
class Counter {
 public:
  void add(double by = 1);
  // For a number that somebody else counts; what is less than before is ignored.
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

// How observations are spread over ranges.
class Histogram {
 public:
  // Expects     upper ends in rising order; what is above the last one is counted, too.
  explicit Histogram(std::vector<double> bounds);

  void observe(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // Of the range that ends with bounds()[i]; the last one has no end.
  std::uint64_t in_range(std::size_t i) const { return counts_[i]; }
  double sum() const { return sum_; }
  std::uint64_t count() const { return count_; }

  // From 1 ms to 10 s: for how long things take.
  static std::vector<double> seconds();

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;  // one more than bounds
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

// What a metric is called and which labels tell its series apart.
struct Described {
  std::string name;
  std::string help;
  std::vector<std::string> labels = {};
  // Above that many combinations of values, all further ones are one series whose values are all
  // "other": a label can never make us, or Prometheus, run out of memory.
  std::size_t most_series = 200;
};

// All series of one metric.
template <class Metric>
class Family {
 public:
  Family(Described about, std::function<Metric()> make)
      : about_(std::move(about)), make_(std::move(make)) {}

  // The series of these values, in the order of the labels. It stays where it is. What is no UTF-8
  // is repaired. Expects as many values as there are labels; aborts otherwise.
  Metric& with(std::initializer_list<std::string_view> values);

  const Described& about() const { return about_; }
  const std::map<std::vector<std::string>, Metric>& series() const { return series_; }

 private:
  Described about_;
  std::function<Metric()> make_;
  std::map<std::vector<std::string>, Metric> series_;
};

// The metrics of the process. What it hands out lives as long as it does.
//
//   telemetry::Counter& submitted = metrics.counter({"jobs_submitted_total", "Submitted jobs."});
//   auto& answers = metrics.counters({"answers_total", "Answers by status.", {"status"}});
//   answers.with({"200"}).add();
//
// Expects     names and labels as Prometheus allows them, each name once; throws std::logic_error
//             otherwise: a bug that shows at start-up.
class Metrics {
 public:
  Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Without labels: there from the beginning, so that a zero is seen as a zero.
  Counter& counter(Described about) { return counters(std::move(about)).with({}); }
  Gauge& gauge(Described about) { return gauges(std::move(about)).with({}); }
  Histogram& histogram(Described about, std::vector<double> bounds = Histogram::seconds()) {
    return histograms(std::move(about), std::move(bounds)).with({});
  }

  Family<Counter>& counters(Described about);
  Family<Gauge>& gauges(Described about);
  Family<Histogram>& histograms(Described about, std::vector<double> bounds = Histogram::seconds());

  // Called at the beginning of each text(), to bring metrics up to date.
  void before_reading(std::function<void()> update) { updates_.push_back(std::move(update)); }

  // Everything in Prometheus' text format (version 0.0.4), in order of the names.
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
