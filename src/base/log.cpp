// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <atomic>
#include <utility>

namespace base {
namespace {

std::span<const LogField> span_of(LogFields fields) {
  return {fields.begin(), fields.size()};
}

}  // namespace

struct Log::Shared {
  LogSink sink;
  const Clock& clock;
  LogFormat format;
  std::atomic<LogLevel> level;
};

Log::Log(LogSink sink, const Clock& clock, LogFormat format, LogLevel level)
    : shared_(new Shared{std::move(sink), clock, format, level}) {}

bool Log::enabled(LogLevel level) const {
  return shared_ != nullptr && level >= shared_->level.load(std::memory_order_relaxed);
}

void Log::set_level(LogLevel level) {
  if (shared_ != nullptr) shared_->level.store(level, std::memory_order_relaxed);
}

Log Log::with(LogFields fields) const {
  Log log = *this;
  if (shared_ != nullptr) append_fields(log.context_, shared_->format, span_of(fields));
  return log;
}

void Log::write(LogLevel level, std::string_view message, LogFields fields) const {
  shared_->sink(format_record(shared_->format,
                              {level, shared_->clock.wall(), message, context_, span_of(fields)}));
}

}  // namespace base
