// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metrics.h"

#include "base/ascii.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "telemetry/exposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace telemetry {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '_';
}

bool is_label(std::string_view text) {
  return !text.empty() && !base::is_digit(text.front()) && std::ranges::all_of(text, is_word) &&
         !text.starts_with("__") && text != "le";
}

bool is_name(std::string_view text) {
  return !text.empty() && !base::is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == ':'; });
}

void check(const Described& about) {
  const auto wrong = [&](std::string_view why) {
    throw std::logic_error(fmt::format("metric {}: {}", base::quoted(about.name), why));
  };
  if (!is_name(about.name)) wrong("not a valid metric name");
  if (!std::ranges::all_of(about.labels, is_label)) wrong("not a valid label name");
  auto labels = about.labels;
  std::ranges::sort(labels);
  if (std::ranges::adjacent_find(labels) != labels.end()) wrong("a label is repeated");
}

}  // namespace

void Counter::add(double by) {
  if (by > 0) value_ += by;
}

void Counter::raise_to(double value) {
  value_ = std::max(value_, value);
}

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

void Histogram::observe(double value) {
  if (std::isnan(value)) return;  // would make the sum NaN permanently
  const auto range = std::ranges::lower_bound(bounds_, value);
  ++counts_[static_cast<std::size_t>(range - bounds_.begin())];
  sum_ += value;
  ++count_;
}

std::vector<double> Histogram::seconds() {
  return {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
}

template <class Metric>
Metric& Family<Metric>::with(std::initializer_list<std::string_view> values) {
  if (values.size() != about_.labels.size()) std::abort();  // a bug
  std::vector<std::string> key;
  for (const std::string_view value : values) key.push_back(base::repair_utf8(std::string(value)));
  const auto found = series_.find(key);
  if (found != series_.end()) return found->second;
  if (series_.size() >= about_.most_series) std::ranges::fill(key, "other");
  return series_.try_emplace(std::move(key), make_()).first->second;
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

template <class Metric>
Family<Metric>& Metrics::add(Described about, std::function<Metric()> make) {
  check(about);
  const std::string name = about.name;
  const auto family = std::make_shared<Family<Metric>>(std::move(about), std::move(make));
  reserve(name);
  printers_.emplace(name, [family](std::string& out) { print(out, *family); });
  return *family;
}

void Metrics::reserve(const std::string& name) {
  if (!names_.insert(name).second)
    throw std::logic_error(fmt::format("metric {} is registered twice", base::quoted(name)));
}

Family<Counter>& Metrics::counters(Described about) {
  return add<Counter>(std::move(about), [] { return Counter(); });
}

Family<Gauge>& Metrics::gauges(Described about) {
  return add<Gauge>(std::move(about), [] { return Gauge(); });
}

Family<Histogram>& Metrics::histograms(Described about, std::vector<double> bounds) {
  const bool rising = std::ranges::is_sorted(bounds, std::less_equal<>()) &&
                      std::ranges::all_of(bounds, [](double b) { return std::isfinite(b); });
  if (!rising)
    throw std::logic_error(
        fmt::format("metric {}: the bounds are not ascending", base::quoted(about.name)));
  for (const char* suffix : {"_bucket", "_sum", "_count"}) reserve(about.name + suffix);
  return add<Histogram>(std::move(about),
                        [bounds = std::move(bounds)] { return Histogram(bounds); });
}

std::string Metrics::text() const {
  for (const auto& update : updates_) update();
  std::string out;
  for (const auto& [name, print] : printers_) print(out);
  return out;
}

}  // namespace telemetry
