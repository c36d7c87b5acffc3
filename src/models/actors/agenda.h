// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace models::actors {

// Future events around the models, ordered by time, and by insertion for one instant.
class Agenda {
 public:
  explicit Agenda(const base::Clock& clock) : clock_(clock) {}

  void at(base::Instant when, std::function<void()> what) {
    entries_.emplace(std::pair(std::max(when, clock_.now()), ++sequence_), std::move(what));
  }
  void in(base::Duration delay, std::function<void()> what) {
    at(clock_.now() + delay, std::move(what));
  }

  base::Instant now() const { return clock_.now(); }
  base::WallTime wall() const { return clock_.wall(); }
  base::Instant next() const {
    return entries_.empty() ? base::kNever : entries_.begin()->first.first;
  }
  // Expects     next() has been reached.
  void run_next() {
    auto first = entries_.extract(entries_.begin());
    first.mapped()();
  }

 private:
  const base::Clock& clock_;
  std::uint64_t sequence_ = 0;
  std::map<std::pair<base::Instant, std::uint64_t>, std::function<void()>> entries_;
};

}  // namespace models::actors
