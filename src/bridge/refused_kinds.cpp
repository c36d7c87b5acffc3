// SPDX-License-Identifier: Apache-2.0
#include "bridge/refused_kinds.h"

#include <chrono>

namespace bridge {
namespace {

// For the answer of the one that asks for all.
constexpr auto kAnswerTakes = std::chrono::seconds(60);

}  // namespace

void RefusedKinds::refused(JobKind kind,
                           const kube::ObjectKey& who,
                           base::Error error,
                           base::Instant until) {
  const auto [place, is_new] = kinds_.try_emplace(kind, Entry{error, {}, {}});
  Entry& entry = place->second;
  entry.error = std::move(error);
  entry.until = until;
  entry.who.insert(who);
}

std::optional<base::Error> RefusedKinds::verdict(JobKind kind,
                                                 const kube::ObjectKey& who,
                                                 base::Instant now) {
  const auto place = kinds_.find(kind);
  if (place == kinds_.end()) return std::nullopt;
  Entry& entry = place->second;
  entry.who.insert(who);
  if (now < entry.until) return entry.error;
  entry.until = now + kAnswerTakes;
  return std::nullopt;
}

std::optional<base::Instant> RefusedKinds::next_try(JobKind kind) const {
  const auto place = kinds_.find(kind);
  return place == kinds_.end() ? std::nullopt : std::optional(place->second.until);
}

std::set<kube::ObjectKey> RefusedKinds::taken(JobKind kind) {
  const auto place = kinds_.find(kind);
  if (place == kinds_.end()) return {};
  std::set<kube::ObjectKey> who = std::move(place->second.who);
  kinds_.erase(place);
  return who;
}

void RefusedKinds::forget(JobKind kind, const kube::ObjectKey& who) {
  const auto place = kinds_.find(kind);
  if (place == kinds_.end()) return;
  place->second.who.erase(who);
  if (place->second.who.empty()) kinds_.erase(place);
}

}  // namespace bridge
