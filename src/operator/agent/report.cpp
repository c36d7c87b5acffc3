// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/report.h"

#include "base/rfc3339.h"
#include "json/value.h"

#include <fmt/format.h>

namespace slurmop::agent {
namespace {

using base::Error;
using base::Kind;
using base::Result;

// An absent member is empty.
Result<std::string> text_of(const json::Value& report, std::string_view key) {
  const json::Value* value = report.find(key);
  if (value == nullptr || value->is_null()) return std::string();
  if (const std::string* text = value->as_string()) return *text;
  return Error(Kind::protocol, fmt::format("status of the agent: {} is not a string", key));
}

}  // namespace

std::string encode(const Report& report) {
  json::Object object{{"seen", report.seen}, {"active", report.active}, {"error", report.error}};
  if (report.checked_at) object.set("checked_at", base::format_rfc3339(*report.checked_at));
  return json::Value(std::move(object)).dump();
}

Result<Report> decode_report(std::string_view text) {
  const auto parsed = json::parse(text);
  if (!parsed.ok() || parsed->as_object() == nullptr) {
    return Error(Kind::protocol, "status of the agent: not a JSON object");
  }
  Report report;
  TRY(report.seen, text_of(*parsed, "seen"));
  TRY(report.active, text_of(*parsed, "active"));
  TRY(report.error, text_of(*parsed, "error"));
  TRY(const std::string checked_at, text_of(*parsed, "checked_at"));
  if (checked_at.empty()) return report;
  const auto when = base::parse_rfc3339(checked_at);
  if (!when.ok()) return Error(Kind::protocol, "status of the agent: checked_at is not a time");
  report.checked_at = *when;
  return report;
}

}  // namespace slurmop::agent
