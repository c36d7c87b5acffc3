// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/refusal_cache.h"

#include "bridge/scheduling/timing.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bridge::scheduling {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFollowers = 2;

}  // namespace

void RefusalCache::let_wait(Entry& entry, const kube::ObjectKey& who) {
  const auto [place, is_new] = entry.numbers.try_emplace(who, last_number_ + 1);
  if (is_new) ++last_number_;
  entry.waiting.emplace(place->second, who);
  entry.may_ask.erase(who);
}

void RefusalCache::drop(Entry& entry, const kube::ObjectKey& who) {
  const auto number = entry.numbers.find(who);
  if (number == entry.numbers.end()) return;
  entry.waiting.erase(number->second);
  entry.may_ask.erase(who);
  entry.numbers.erase(number);
}

void RefusalCache::refused(RequestShape shape,
                           const kube::ObjectKey& who,
                           base::Error error,
                           base::Instant until) {
  const auto [place, is_new] = shapes_.try_emplace(shape, Entry{error, {}, {}, {}, {}});
  Entry& entry = place->second;
  entry.error = std::move(error);
  entry.until = until;
  let_wait(entry, who);
}

std::optional<base::Error> RefusalCache::peek(RequestShape shape,
                                              const kube::ObjectKey& who,
                                              base::Instant now) const {
  const auto place = shapes_.find(shape);
  if (place == shapes_.end()) return std::nullopt;
  const Entry& entry = place->second;
  if (entry.may_ask.contains(who) || now >= entry.until) return std::nullopt;
  return entry.error;
}

std::optional<base::Error> RefusalCache::verdict(RequestShape shape,
                                                 const kube::ObjectKey& who,
                                                 base::Instant now) {
  const auto place = shapes_.find(shape);
  if (place == shapes_.end()) return std::nullopt;
  Entry& entry = place->second;
  if (entry.may_ask.erase(who) > 0) return std::nullopt;
  let_wait(entry, who);
  if (now < entry.until) return entry.error;
  entry.until = now + kSharedAttemptTakes;
  return std::nullopt;
}

std::optional<base::Instant> RefusalCache::next_try(RequestShape shape) const {
  const auto place = shapes_.find(shape);
  return place == shapes_.end() ? std::nullopt : std::optional(place->second.until);
}

void RefusalCache::no_answer(RequestShape shape, base::Instant now) {
  const auto place = shapes_.find(shape);
  if (place == shapes_.end()) return;
  base::Instant& until = place->second.until;
  until = std::min<base::Instant>(until, now + kRetryWithoutAnswerAfter);
}

std::vector<kube::ObjectKey> RefusalCache::taken(RequestShape shape, const kube::ObjectKey& who) {
  std::vector<kube::ObjectKey> next;
  const auto place = shapes_.find(shape);
  if (place == shapes_.end()) return next;
  Entry& entry = place->second;
  drop(entry, who);
  while (next.size() < kFollowers && !entry.waiting.empty()) {
    next.push_back(entry.waiting.begin()->second);
    entry.may_ask.insert(next.back());
    entry.waiting.erase(entry.waiting.begin());
  }
  if (entry.numbers.empty()) shapes_.erase(place);
  return next;
}

void RefusalCache::forget(RequestShape shape, const kube::ObjectKey& who) {
  const auto place = shapes_.find(shape);
  if (place == shapes_.end()) return;
  drop(place->second, who);
  if (place->second.numbers.empty()) shapes_.erase(place);
}

}  // namespace bridge::scheduling
