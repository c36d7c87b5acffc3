// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_value.h"
#include "base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace base {

enum class LogLevel { debug, info, warn, error };

std::string_view name(LogLevel level);

// Accepts debug, info, warn, error, in any case; and the values of the reference's flags: panic
// (errors only), 0 (info), and the numbers from 1 on (debug).
Result<LogLevel> parse_log_level(std::string_view text);

enum class LogFormat {
  json,   // {"level":"info","ts":"2026-11-15T19:05:02.000000Z","msg":"bound pod","pod":"a/b"}
  human,  // 2026-11-15T19:05:02.000000Z INFO  bound pod pod=a/b
};

// Accepts json and human; also console, zap's name for human.
Result<LogFormat> parse_log_format(std::string_view text);

inline constexpr std::size_t kMaxLogText = 8192;  // longer values are cut

struct LogRecord {
  LogLevel level;
  WallTime time;
  std::string_view message;
  std::string_view context;  // made by append_fields in the same format
  std::span<const LogField> fields;
};

// Appends each field preceded by its separator.
void append_fields(std::string& line, LogFormat format, std::span<const LogField> fields);

// Guarantees  valid UTF-8 with exactly one line break, at the end; for JSON, one object that any
//             parser accepts, whatever message, keys and values contain.
std::string format_record(LogFormat format, const LogRecord& record);

}  // namespace base
