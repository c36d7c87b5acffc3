// SPDX-License-Identifier: Apache-2.0
#include "models/kube/store.h"

#include "models/kube/json.h"

#include <algorithm>
#include <utility>

namespace models::kube {

const json::Value& Change::last_value() const {
  if (last_ == nullptr) {
    auto last = std::make_shared<Revision>();
    last->version = version_;
    last->value = before_->value;
    object_in(*last->value.as_object(), "metadata")
        .set("resourceVersion", std::to_string(version_));
    last->text = last->value.dump();
    last_ = std::move(last);
  }
  return last_->value;
}

const std::string& Change::last_text() const {
  (void)last_value();
  return last_->text;
}

RevisionPtr Collection::find(std::string_view key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : found->second;
}

const Change& Collection::set(std::uint64_t version, const std::string& key, RevisionPtr after) {
  const auto place = objects_.lower_bound(key);
  const bool is_there = place != objects_.end() && place->first == key;
  history_.emplace_back(version, key, is_there ? place->second : nullptr, after);
  if (after == nullptr) {
    if (is_there) objects_.erase(place);
  } else if (is_there) {
    place->second = std::move(after);
  } else {
    objects_.emplace_hint(place, key, std::move(after));
  }
  trim();
  return history_.back();
}

void Collection::trim() {
  while (history_.size() > most_) {
    floor_ = history_.front().version();
    history_.pop_front();
  }
}

void Collection::keep(std::size_t changes) {
  most_ = std::max<std::size_t>(changes, 1);
  trim();
}

void Collection::forget_before(std::uint64_t version) {
  while (!history_.empty() && history_.front().version() <= version) history_.pop_front();
  floor_ = std::max(floor_, version);
}

std::deque<Change>::const_iterator Collection::after(std::uint64_t version) const {
  // Most readers are only a few changes behind.
  if (history_.empty() || history_.back().version() <= version) return history_.end();
  return std::ranges::upper_bound(history_, version, {}, &Change::version);
}

void Collection::each_at(std::uint64_t version, std::string_view from, const Visit& visit) const {
  // For an object that changed since then, the first later change has the former state.
  std::map<std::string_view, const RevisionPtr*> then;
  for (auto change = after(version); change != history_.end(); ++change) {
    then.emplace(change->key(), &change->before());
  }
  auto now = objects_.lower_bound(from);
  auto old = then.lower_bound(from);
  while (now != objects_.end() || old != then.end()) {
    const bool is_old = old != then.end() && (now == objects_.end() || old->first <= now->first);
    if (!is_old) {
      if (!visit(now->first, now->second)) return;
      ++now;
      continue;
    }
    if (now != objects_.end() && now->first == old->first) ++now;
    if (*old->second != nullptr && !visit(std::string(old->first), *old->second)) return;
    ++old;
  }
}

}  // namespace models::kube
