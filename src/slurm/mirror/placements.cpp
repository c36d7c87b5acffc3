// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/placements.h"

#include <algorithm>

namespace slurm::inline mirror {

void Placements::enqueue(JobId id, Queue& queue, base::Instant due) {
  running_[id] = {&queue, due};
  queue.emplace(due, id);
}

void Placements::runs(JobId id) {
  if (!running_.contains(id)) enqueue(id, first_, base::Instant::min());
}

void Placements::stopped(JobId id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  const Place& place = found->second;
  if (place.queue != nullptr) place.queue->erase({place.due, id});
  running_.erase(found);
}

void Placements::ask_soon(JobId id) {
  const auto found = running_.find(id);
  if (found == running_.end() || found->second.queue != &rotation_) return;
  rotation_.erase({found->second.due, id});
  enqueue(id, first_, base::Instant::min());
}

void Placements::take(Queue& queue, std::vector<JobId>& into) {
  const JobId id = queue.begin()->second;
  queue.erase(queue.begin());
  running_[id] = {};
  ++asked_;
  into.push_back(id);
}

std::vector<JobId> Placements::start(base::Instant now) {
  std::vector<JobId> ids;
  while (asked_ < at_once_ && !first_.empty() && first_.begin()->first <= now) take(first_, ids);
  if (asked_ < at_once_ && !rotation_.empty() && rotation_.begin()->first <= now &&
      next_rotation_ <= now) {
    take(rotation_, ids);
    next_rotation_ = now + kRotation;
  }
  return ids;
}

void Placements::ended(JobId id, Queue& queue, base::Instant due) {
  --asked_;
  const auto found = running_.find(id);
  if (found == running_.end() || found->second.queue != nullptr) return;  // stopped meanwhile
  enqueue(id, queue, due);
}

void Placements::answered(JobId id, base::Instant now) {
  ended(id, rotation_, now + again_after_);
}

void Placements::failed(JobId id, base::Instant now) {
  ended(id, first_, now + kRetry);
}

base::Instant Placements::due() const {
  if (asked_ >= at_once_) return base::kNever;
  base::Instant when = base::kNever;
  if (!first_.empty()) when = first_.begin()->first;
  if (!rotation_.empty()) {
    when = std::min(when, std::max(rotation_.begin()->first, next_rotation_));
  }
  return when;
}

}  // namespace slurm::inline mirror
