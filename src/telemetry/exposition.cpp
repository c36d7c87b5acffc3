// SPDX-License-Identifier: Apache-2.0
#include "telemetry/exposition.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace telemetry {
namespace {

// In a help text a quote needs no backslash; in a label value it does.
std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || (quotes && c == '"')) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

void print_about(std::string& out, const Described& about, std::string_view type) {
  const std::string help = escaped(base::repair_utf8(about.help), false);
  fmt::format_to(std::back_inserter(out), "# HELP {} {}\n", about.name, help);
  fmt::format_to(std::back_inserter(out), "# TYPE {} {}\n", about.name, type);
}

// {a="1",le="+Inf"}, or empty without labels.
std::string labels_of(const Described& about,
                      const std::vector<std::string>& values,
                      const std::optional<double>& upper_end = std::nullopt) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}{}=\"{}\"", i > 0 ? "," : "", about.labels[i], escaped(values[i], true));
  if (upper_end) out += fmt::format("{}le=\"{}\"", out.empty() ? "" : ",", number(*upper_end));
  return out.empty() ? out : fmt::format("{{{}}}", out);
}

template <class Metric>
void print_single(std::string& out, const Family<Metric>& family, std::string_view type) {
  if (family.series().empty()) return;
  const Described& about = family.about();
  print_about(out, about, type);
  for (const auto& [values, metric] : family.series()) {
    fmt::format_to(std::back_inserter(out),
                   "{}{} {}\n",
                   about.name,
                   labels_of(about, values),
                   number(metric.value()));
  }
}

}  // namespace

void print(std::string& out, const Family<Counter>& family) {
  print_single(out, family, "counter");
}

void print(std::string& out, const Family<Gauge>& family) {
  print_single(out, family, "gauge");
}

void print(std::string& out, const Family<Histogram>& family) {
  if (family.series().empty()) return;
  const Described& about = family.about();
  print_about(out, about, "histogram");
  const auto line = [&](std::string_view suffix, const std::string& labels, const auto& value) {
    fmt::format_to(std::back_inserter(out), "{}{}{} {}\n", about.name, suffix, labels, value);
  };
  for (const auto& [values, metric] : family.series()) {
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i <= metric.bounds().size(); ++i) {
      so_far += metric.in_range(i);
      const double end = i < metric.bounds().size() ? metric.bounds()[i] : INFINITY;
      line("_bucket", labels_of(about, values, end), so_far);
    }
    line("_sum", labels_of(about, values), number(metric.sum()));
    line("_count", labels_of(about, values), metric.count());
  }
}

}  // namespace telemetry
