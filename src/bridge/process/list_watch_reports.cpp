// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/list_watch_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bridge::process {

using kube::ListWatchReport;

ListWatchReports::ListWatchReports(base::Log log, Announce announce)
    : log_(std::move(log)), announce_(std::move(announce)) {}

void ListWatchReports::follow(kube::Reflector& reflector) {
  reflectors_.push_back(&reflector);
  reflector.on_report([this](const ListWatchReport& report) { take(report); });
}

std::string ListWatchReports::problem() const {
  for (const kube::Reflector* reflector : reflectors_) {
    if (std::string problem = reflector->problem(); !problem.empty()) return problem;
  }
  return "";
}

void ListWatchReports::take(const ListWatchReport& report) {
  const std::string key = fmt::format("{} {}", name(report.verb), report.resource);
  const auto known = reported_.find(key);
  if (report.state == ListWatchReport::State::failing) {
    if (known != reported_.end() && known->second == report.message) return;
    reported_.insert_or_assign(key, report.message);
    log_.warn(report.message, {{"verb", name(report.verb)}, {"resource", report.resource}});
  } else {
    if (known == reported_.end() || any_fails(report)) return;
    reported_.erase(known);
    log_.info(report.message, {{"verb", name(report.verb)}, {"resource", report.resource}});
  }
  announce_(report);
}

bool ListWatchReports::any_fails(const ListWatchReport& report) const {
  return std::ranges::any_of(reflectors_, [&](const kube::Reflector* reflector) {
    return reflector->resource() == report.resource && reflector->cannot(report.verb);
  });
}

}  // namespace bridge::process
