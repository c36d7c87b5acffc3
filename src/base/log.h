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

// Takes one complete line, its line break included: one write for one record.
using LogSink = std::function<void(std::string_view line)>;

// A structured log:
//
//   log.info("bound pod", {{"pod", key}, {"node", node}, {"job", id}});
//
// The message is a fixed text that one can search for; what varies is a field. Copies and what
// with() makes share sink and level. Lines below the level cost a comparison. Safe to use from
// several threads if the sink is.
class Log {
 public:
  // Says nothing: for whoever must be given a log.
  Log() = default;
  // Expects     a clock that outlives the log and everything made from it.
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

  // To ask before gathering something expensive.
  bool enabled(LogLevel level) const;
  // For this log and all that share its sink.
  void set_level(LogLevel level);
  // A log whose lines carry these fields first.
  Log with(LogFields fields) const;

 private:
  struct Shared;

  void write(LogLevel level, std::string_view message, LogFields fields) const;

  std::shared_ptr<Shared> shared_;
  std::string context_;
};

}  // namespace base
