// SPDX-License-Identifier: Apache-2.0
#include "base/log_format.h"

#include "base/ascii.h"
#include "base/duration.h"
#include "base/integer.h"
#include "base/quote.h"
#include "base/rfc3339.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace base {
namespace {

void append_text(std::string& line, std::string_view text) {
  const std::string_view head = cut(text, kMaxLogText);
  append_escaped(line, head);
  if (head.size() < text.size()) {
    fmt::format_to(std::back_inserter(line), "... ({} bytes)", text.size());
  }
}

void append_quoted(std::string& line, std::string_view text) {
  line.push_back('"');
  append_text(line, text);
  line.push_back('"');
}

// Whether the value needs no quotes: its ends are visible and grep finds it.
bool is_one_word(std::string_view text) {
  return !text.empty() && text.size() <= kMaxLogText && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < 0x7F && c != '"' && c != '\\' && c != '=';
  });
}

void append_string(std::string& line, LogFormat format, std::string_view text) {
  if (format == LogFormat::human && is_one_word(text)) {
    line.append(text);
  } else {
    append_quoted(line, text);
  }
}

struct AppendValue {
  std::string& line;
  LogFormat format;

  void operator()(std::monostate) const { line.append("null"); }
  void operator()(bool value) const { line.append(value ? "true" : "false"); }
  void operator()(std::int64_t value) const {
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  void operator()(std::uint64_t value) const {
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
  void operator()(double value) const {
    // JSON has no infinity and no NaN.
    if (std::isfinite(value)) {
      fmt::format_to(std::back_inserter(line), "{}", value);
    } else {
      append_string(line, format, fmt::format("{}", value));
    }
  }
  void operator()(std::string_view text) const { append_string(line, format, text); }
  void operator()(Duration value) const { append_string(line, format, format_duration(value)); }
  void operator()(WallTime value) const {
    append_string(line, format, format_rfc3339_micro(value));
  }
  void operator()(const Error* error) const { append_string(line, format, error->to_string()); }
};

std::string json_line(const LogRecord& record) {
  std::string line = fmt::format(
      R"({{"level":"{}","ts":"{}","msg":)", name(record.level), format_rfc3339_micro(record.time));
  append_quoted(line, record.message);
  line.append(record.context);
  append_fields(line, LogFormat::json, record.fields);
  line.append("}\n");
  return line;
}

std::string_view human_name(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "DEBUG";
    case LogLevel::info: return "INFO ";
    case LogLevel::warn: return "WARN ";
    case LogLevel::error: return "ERROR";
  }
  return "?";
}

std::string human_line(const LogRecord& record) {
  std::string line =
      fmt::format("{} {} ", format_rfc3339_micro(record.time), human_name(record.level));
  append_text(line, record.message);
  line.append(record.context);
  append_fields(line, LogFormat::human, record.fields);
  line.push_back('\n');
  return line;
}

}  // namespace

std::string_view name(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warn: return "warn";
    case LogLevel::error: return "error";
  }
  return "unknown";
}

Result<LogLevel> parse_log_level(std::string_view text) {
  const std::string name = ascii_lower(cut(text, 16));
  if (name == "debug") return LogLevel::debug;
  if (name == "info") return LogLevel::info;
  if (name == "warn" || name == "warning") return LogLevel::warn;
  if (name == "error" || name == "panic") return LogLevel::error;
  if (const Result<int> verbosity = parse_integer<int>(text); verbosity && *verbosity >= 0) {
    return *verbosity == 0 ? LogLevel::info : LogLevel::debug;
  }
  return Error(
      Kind::invalid,
      fmt::format("{} is not a log level; write debug, info, warn, error, or a number from 0 "
                  "(info) on for more detail",
                  quoted(text)));
}

Result<LogFormat> parse_log_format(std::string_view text) {
  const std::string name = ascii_lower(cut(text, 16));
  if (name == "json") return LogFormat::json;
  if (name == "human" || name == "console") return LogFormat::human;
  return Error(Kind::invalid,
               fmt::format("{} is not a log format; write json or console", quoted(text)));
}

void append_fields(std::string& line, LogFormat format, std::span<const LogField> fields) {
  for (const LogField& field : fields) {
    line.push_back(format == LogFormat::json ? ',' : ' ');
    append_string(line, format, field.key);
    line.push_back(format == LogFormat::json ? ':' : '=');
    std::visit(AppendValue{line, format}, field.value.held());
  }
}

std::string format_record(LogFormat format, const LogRecord& record) {
  return format == LogFormat::json ? json_line(record) : human_line(record);
}

}  // namespace base
