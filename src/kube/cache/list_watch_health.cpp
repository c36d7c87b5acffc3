// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/list_watch_health.h"

#include <fmt/format.h>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;

// The server or the network is down or overloaded; the request itself is valid.
bool is_outage(const Error& error) {
  return error.is(Kind::unreachable) || error.is(Kind::lost) || error.is(Kind::unavailable) ||
         error.is(Kind::too_many);
}

}  // namespace

std::string_view name(Verb verb) {
  switch (verb) {
    case Verb::list: return "list";
    case Verb::watch: return "watch";
  }
  return "";
}

std::optional<ListWatchReport> ListWatchHealth::failed(Verb verb,
                                                       const Error& error,
                                                       Attempt attempt) {
  std::optional<Failure>& failure = of(verb);
  // An old undecodable event must not make a new interruption look old.
  const bool is_new_failure = failure && !failure->reported &&
                              failure->error.is(Kind::protocol) != error.is(Kind::protocol);
  if (!failure || is_new_failure) failure = Failure{attempt.began, attempt.began, error};
  const bool outage = is_outage(error);
  if (!outage && is_outage(failure->error)) failure->answered_since = attempt.began;
  failure->error = error;
  // An API server that has just started denies every request until it has read its roles. Such an
  // answer is reported only if it lasts, no matter how long the server was away before.
  const base::Instant since = outage ? failure->since : failure->answered_since;
  if (attempt.ended - since < kReportAfter) return std::nullopt;
  if (failure->reported && (outage || !failure->reported_as_outage)) return std::nullopt;
  failure->reported = true;
  failure->reported_as_outage = outage;
  return ListWatchReport{ListWatchReport::State::failing, verb, resource_, message(verb)};
}

std::optional<ListWatchReport> ListWatchHealth::opened() {
  if (watch_ && watch_->error.is(Kind::protocol)) return std::nullopt;
  return succeeded(Verb::watch);
}

std::optional<ListWatchReport> ListWatchHealth::succeeded(Verb verb) {
  if (!of(verb)) return std::nullopt;
  const bool reported = of(verb)->reported;
  of(verb).reset();
  if (!reported) return std::nullopt;
  return ListWatchReport{ListWatchReport::State::recovered,
                         verb,
                         resource_,
                         fmt::format("can {} {} again", name(verb), resource_)};
}

std::string ListWatchHealth::problem() const {
  if (is_reported(Verb::list)) return message(Verb::list);
  const bool only_away = watch_ && (watch_->reported_as_outage || is_outage(watch_->error));
  if (is_reported(Verb::watch) && !only_away) return message(Verb::watch);
  return "";
}

std::string ListWatchHealth::message(Verb verb) const {
  const Error& error = of(verb)->error;
  const std::string advice =
      error.is(Kind::forbidden)
          ? fmt::format("; grant this account {} on {}", name(verb), resource_)
          : "";
  return fmt::format("cannot {} {}: {}{}", name(verb), resource_, error.to_string(), advice);
}

}  // namespace kube::inline cache
