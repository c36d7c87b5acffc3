// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/scan.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace slurm::inline mirror {

void Scan::judge(std::map<JobId, Unjudged>::iterator place) {
  --lists_[place->second.list - first_list_].left;
  unjudged_.erase(place);
}

void Scan::advance() {
  // A job that an older list showed first is in every later list too, so the lists complete in
  // order.
  while (!lists_.empty() && lists_.front().left == 0) {
    since_ = std::max(since_, lists_.front().at);
    lists_.pop_front();
    ++first_list_;
  }
}

void Scan::drop_ended(const std::set<JobId>& live) {
  std::erase_if(foreign_, [&](JobId id) { return !live.contains(id); });
  for (auto place = unjudged_.begin(); place != unjudged_.end();) {
    const auto here = place++;
    if (!live.contains(here->first)) judge(here);
  }
}

void Scan::listed(const QueryStamp& asked,
                  std::span<const JobStatus> all,
                  const std::function<bool(JobId)>& is_ours) {
  std::set<JobId> live;
  for (const JobStatus& status : all) {
    if (!status.array_task && !is_over(status.state)) live.insert(status.id);
  }
  drop_ended(live);

  List list{asked.at, 0};
  const std::uint64_t number = first_list_ + lists_.size();
  for (const JobId id : live) {
    if (foreign_.contains(id) || is_ours(id)) continue;
    if (unjudged_.try_emplace(id, Unjudged{.list = number}).second) ++list.left;
  }
  lists_.push_back(list);
  advance();
}

std::vector<JobId> Scan::start(base::Instant now) {
  std::vector<JobId> ids;
  for (auto& [id, unjudged] : unjudged_ | std::views::reverse) {
    if (asked_ >= at_once_) break;
    if (unjudged.asked || unjudged.not_before > now) continue;
    unjudged.asked = true;
    ++asked_;
    ids.push_back(id);
  }
  if (const auto id = next_of_rotation(now)) {
    ++asked_;
    ids.push_back(*id);
  }
  return ids;
}

// From the newest to the oldest, and again.
std::optional<JobId> Scan::next_of_rotation(base::Instant now) {
  if (foreign_.empty() || asked_ >= at_once_ || now < next_rotation_) return std::nullopt;
  const bool first = next_rotation_ == base::Instant::min();
  next_rotation_ = now + kRotation;
  if (first) return std::nullopt;  // all of them were looked at a moment ago
  const auto older = foreign_.lower_bound(rotated_);
  rotated_ = *std::prev(older == foreign_.begin() ? foreign_.end() : older);
  return rotated_;
}

void Scan::answered(JobId id) {
  --asked_;
  if (const auto place = unjudged_.find(id); place != unjudged_.end()) judge(place);
  advance();
}

void Scan::settled(JobId id) {
  foreign_.erase(id);
  answered(id);
}

void Scan::foreign(JobId id) {
  if (unjudged_.contains(id)) foreign_.insert(id);  // else it has ended since
  answered(id);
}

void Scan::doubt(std::size_t newest) {
  const auto many = static_cast<std::ptrdiff_t>(std::min(newest, foreign_.size()));
  foreign_.erase(std::prev(foreign_.end(), many), foreign_.end());
}

void Scan::failed(JobId id, base::Instant now) {
  --asked_;
  const auto place = unjudged_.find(id);
  if (place == unjudged_.end()) return;
  place->second.asked = false;
  place->second.not_before = now + kRetry;
}

std::optional<JobId> Scan::newest() const {
  std::optional<JobId> newest;
  if (!foreign_.empty()) newest = *foreign_.rbegin();
  if (!unjudged_.empty()) newest = std::max(newest, std::optional(unjudged_.rbegin()->first));
  return newest;
}

void Scan::skip(JobId id) {
  const auto place = unjudged_.find(id);
  if (place != unjudged_.end() && !place->second.asked) judge(place);
  advance();
}

base::Instant Scan::due() const {
  base::Instant when = base::kNever;
  if (asked_ >= at_once_) return when;
  if (!foreign_.empty() && next_rotation_ != base::Instant::min()) when = next_rotation_;
  for (const auto& [id, unjudged] : unjudged_) {
    if (!unjudged.asked) when = std::min(when, unjudged.not_before);
  }
  return when;
}

}  // namespace slurm::inline mirror
