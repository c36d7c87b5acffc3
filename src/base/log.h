// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/log_format.h"
#include "base/log_value.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace base {

// Writes one complete line including its line break: one call per record.
using LogSink = std::function<void(std::string_view line)>;

// A structured log:
//
//   log.info("bound pod", {{"pod", key}, {"node", node}, {"job", id}});
//
// The message is a fixed text that can be searched for; everything that varies is a field. Copies
// and the logs made by with() share sink and level. Lines below the level cost one comparison.
// Thread-safe if the sink is.
class Log {
 public:
  // Writes nothing.
  Log() = default;
  // Expects     a clock that outlives this log and all logs made from it.
  Log(LogSink sink, const Clock& clock, LogFormat format, LogLevel level = LogLevel::info);

  void debug(std::string_view message, LogFields fields = {}) const {
    if (enabled(LogLevel::debug)) write(LogLevel::debug, message, fields);
  }
  void info(std::string_view message, LogFields fields = {}) const {
    if (enabled(LogLevel::info)) write(LogLevel::info, message, fields);
  }
  void warn(std::string_view message, LogFields fields = {}) const {
    if (enabled(LogLevel::warn)) write(LogLevel::warn, message, fields);
  }
  void error(std::string_view message, LogFields fields = {}) const {
    if (enabled(LogLevel::error)) write(LogLevel::error, message, fields);
  }

  // For callers that would collect expensive fields.
  bool enabled(LogLevel level) const;
  // Applies to all logs that share the sink.
  void set_level(LogLevel level);
  // Returns a log that puts these fields first in each line.
  Log with(LogFields fields) const;

 private:
  struct Shared;

  void write(LogLevel level, std::string_view message, LogFields fields) const;

  std::shared_ptr<Shared> shared_;
  std::string context_;
};

}  // namespace base
