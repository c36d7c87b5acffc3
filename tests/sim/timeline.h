// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sim {

// The readable log of a history. Without recording, add() does nothing.
class Timeline {
 public:
  Timeline(const base::Clock& clock, bool on) : clock_(clock), on_(on) {}

  bool on() const { return on_; }
  void add(std::string_view who, std::string_view what) {
    if (!on_) return;
    const double seconds = std::chrono::duration<double>(clock_.now().time_since_epoch()).count();
    lines_.push_back(fmt::format("{:9.3f}  {:<13} {}", seconds, who, what));
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  const base::Clock& clock_;
  bool on_;
  std::vector<std::string> lines_;
};

}  // namespace sim
