// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/states_poll.h"

#include <algorithm>
#include <utility>

namespace slurm::inline mirror {
namespace {

// HTTP statuses with which servers reject a long request line. Slurm's own errors have a number.
bool is_about_length(const base::Error& error) {
  if (error.code() != 0) return false;
  const int status = error.status();
  return status == 400 || status == 413 || status == 414 || status == 431;
}

}  // namespace

base::Instant StatesPoll::due(base::Duration interval) const {
  if (asking_) return base::kNever;
  return in_round() ? base::Instant::min() : cadence_.due(interval);
}

std::vector<JobId> StatesPoll::start(std::vector<JobId> open, base::Instant now) {
  if (!in_round()) {
    left_ = std::move(open);
    round_failed_ = false;
    round_began_ = now;
    cadence_.started(now);
  }
  asking_ = true;
  const std::size_t count = std::min(left_.size(), ids_per_call_.limit(now));
  const auto end = left_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<JobId> ids(left_.begin(), end);
  left_.erase(left_.begin(), end);
  return ids;
}

bool StatesPoll::refused_as_too_long(std::span<const JobId> ids, const base::Error& error) {
  if (!is_about_length(error) || !ids_per_call_.refused(ids.size())) return false;
  asking_ = false;
  left_.insert(left_.begin(), ids.begin(), ids.end());
  refusal_ = error;
  return true;
}

void StatesPoll::answered(base::Instant now) {
  if (ids_per_call_.answered(now) && refusal_)
    shortened_ = Shortened{ids_per_call_.limit(now), *refusal_};
  end_call(now);
}

void StatesPoll::failed(const base::Error& error, base::Instant now) {
  round_failed_ = true;
  error_ = error;
  end_call(now);
}

void StatesPoll::end_call(base::Instant now) {
  asking_ = false;
  if (in_round()) return;
  cadence_.ended(now, !round_failed_);
  if (round_failed_) return;
  error_.reset();
  good_since_ = round_began_;
}

void StatesPoll::nothing_to_ask(base::Instant at) {
  if (asking_ || in_round()) return;
  error_.reset();
  good_since_ = std::max(good_since_, at);
}

std::optional<StatesPoll::Shortened> StatesPoll::take_shortened() {
  return std::exchange(shortened_, std::nullopt);
}

}  // namespace slurm::inline mirror
