// SPDX-License-Identifier: Apache-2.0
#include "net/async/timers.h"

namespace net::inline async {

Timer::Timer(Timer&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), key_(other.key_) {}

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this != &other) {
    cancel();
    owner_ = std::exchange(other.owner_, nullptr);
    key_ = other.key_;
  }
  return *this;
}

void Timer::cancel() noexcept {
  if (Timers* owner = std::exchange(owner_, nullptr)) owner->disarm(key_);
}

bool Timer::armed() const {
  return owner_ != nullptr && owner_->armed_.contains(key_);
}

Timer Timers::arm(base::Instant when, std::function<void()> what) {
  if (when == base::kNever) return {};
  const Timer::Key key(when, sequence_++);
  const auto place = armed_.emplace(key, std::move(what)).first;
  if (place == armed_.begin() && head_changed_) head_changed_();
  return {this, key};
}

std::optional<base::Instant> Timers::next() const {
  if (armed_.empty()) return std::nullopt;
  return armed_.begin()->first.first;
}

std::size_t Timers::fire_due() {
  const base::Instant now = clock_.now();
  const std::uint64_t armed_before = sequence_;
  std::size_t fired = 0;
  for (auto due = armed_.begin(); due != armed_.end() && due->first.first <= now;) {
    const Timer::Key key = due->first;
    if (key.second < armed_before) {
      const std::function<void()> what = std::move(armed_.extract(due).mapped());
      what();
      ++fired;
    }
    due = armed_.upper_bound(key);  // the callback may have changed anything: search again
  }
  return fired;
}

void Timers::disarm(const Timer::Key& key) noexcept {
  const auto place = armed_.find(key);
  if (place == armed_.end()) return;
  const bool was_head = place == armed_.begin();
  // The callback is destroyed last: objects that it owns may disarm further timers.
  const auto removed = armed_.extract(place);
  if (was_head && head_changed_) head_changed_();
}

}  // namespace net::inline async
