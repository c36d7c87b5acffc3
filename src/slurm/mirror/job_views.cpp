// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/job_views.h"

#include <algorithm>
#include <utility>

namespace slurm::inline mirror {
namespace {

bool is_open(const JobView& view) {
  return view.knowledge != JobView::Knowledge::known || !is_over(view.state);
}

bool set_known(JobView& view, JobState state) {
  const bool changed = !view.known(state);
  view.knowledge = JobView::Knowledge::known;
  view.state = state;
  view.times_unknown = 0;
  view.unknown_since = base::kNever;
  return changed;
}

bool set_unknown(JobView& view) {
  view.knowledge = JobView::Knowledge::unknown_to_slurm;
  if (view.times_unknown++ == 0) view.unknown_since = view.as_of;
  return true;
}

}  // namespace

void JobViews::add(JobId id, std::uint64_t order) {
  const auto [place, is_new] = entries_.try_emplace(id);
  if (is_new) place->second.since = place->second.nodes_since = order;
}

const JobView* JobViews::find(JobId id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second.view;
}

std::optional<JobId> JobViews::newest() const {
  return entries_.empty() ? std::nullopt : std::optional(entries_.rbegin()->first);
}

std::vector<JobId> JobViews::open() const {
  std::vector<JobId> ids;
  ids.reserve(entries_.size());
  for (const auto& [id, entry] : entries_) {
    if (is_open(entry.view)) ids.push_back(id);
  }
  return ids;
}

bool JobViews::any_open() const {
  return std::ranges::any_of(entries_, [](const auto& e) { return is_open(e.second.view); });
}

std::vector<JobId> JobViews::apply(const QueryStamp& asked,
                                   std::span<const JobId> questioned,
                                   std::span<const JobStatus> answer) {
  std::vector<JobStatus> sorted(answer.begin(), answer.end());
  std::ranges::sort(sorted, {}, &JobStatus::id);

  std::vector<JobId> changed;
  for (const JobId id : questioned) {
    const auto entry = entries_.find(id);
    if (entry == entries_.end() || asked.order <= entry->second.since) continue;
    entry->second.since = asked.order;
    JobView& view = entry->second.view;
    view.as_of = asked.at;
    const auto status = std::ranges::lower_bound(sorted, id, {}, &JobStatus::id);
    const bool is_listed = status != sorted.end() && status->id == id;
    const bool news = is_listed ? set_known(view, status->state) : set_unknown(view);
    if (view.known(JobState::pending)) {  // it lost its nodes, whatever was reported before
      view.nodes.clear();
      view.read_as_of = base::Instant::min();
      entry->second.nodes_since = std::max(entry->second.nodes_since, asked.order);
    }
    if (news) changed.push_back(id);
  }
  return changed;
}

std::vector<JobId> JobViews::apply_to_ended(const QueryStamp& asked,
                                            std::span<const JobStatus> all) {
  std::vector<JobId> ended;
  for (const auto& [id, entry] : entries_) {
    if (!is_open(entry.view)) ended.push_back(id);
  }
  return ended.empty() ? ended : apply(asked, ended, all);
}

bool JobViews::apply_running(const QueryStamp& asked, JobId id, std::vector<SlurmNodeName> nodes) {
  const JobStatus status{.id = id, .state = JobState::running};
  const bool started = !apply(asked, {&id, 1}, {&status, 1}).empty();
  const auto entry = entries_.find(id);
  if (entry == entries_.end() || asked.order <= entry->second.nodes_since) return started;
  entry->second.nodes_since = asked.order;
  entry->second.view.read_as_of = asked.at;
  const bool moved = std::exchange(entry->second.view.nodes, nodes) != nodes;
  return started || moved;
}

}  // namespace slurm::inline mirror
