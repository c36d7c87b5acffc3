// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kube::inline cache {

enum class Verb { list, watch };
std::string_view name(Verb verb);

// A change of a collection's health that is reported to people.
struct ListWatchReport {
  enum class State { failing, recovered };
  State state;
  Verb verb;
  std::string resource;
  std::string message;  // "cannot list pods: forbidden: ...; grant this account list on pods"
};

// Whether one collection of the API server can be listed and watched.
//
// Expects     failed() after each failed request, opened() after each accepted watch, succeeded()
//             after each page or event that was processed.
// Guarantees  one report when the requests of a verb have failed for kReportAfter, however often
//             they are repeated, and one when the verb works again. A second report follows only
//             if an outage of the server turns into another failure that also lasts kReportAfter.
// Does not    log, wait or read a clock.
class ListWatchHealth {
 public:
  static constexpr base::Duration kReportAfter = std::chrono::seconds(10);

  explicit ListWatchHealth(std::string resource) : resource_(std::move(resource)) {}

  // When the failed request was sent, and when its failure was known.
  struct Attempt {
    base::Instant began;
    base::Instant ended;
  };
  std::optional<ListWatchReport> failed(Verb verb, const base::Error& error, Attempt attempt);
  // The server accepted a watch. That alone does not end a failure if its events cannot be decoded.
  std::optional<ListWatchReport> opened();
  std::optional<ListWatchReport> succeeded(Verb verb);

  // A sentence if the content of the store may be wrong, else empty. An outage of the API server
  // while the collection is watched does not count: no newer state can be read anywhere.
  std::string problem() const;
  // Whether a failure of this verb was reported and has not ended.
  bool is_reported(Verb verb) const { return of(verb) && of(verb)->reported; }

 private:
  struct Failure {
    base::Instant since;
    base::Instant answered_since;  // since when the server answers, and denies the request
    base::Error error;
    bool reported = false;
    bool reported_as_outage = false;
  };
  std::optional<Failure>& of(Verb verb) { return verb == Verb::list ? list_ : watch_; }
  const std::optional<Failure>& of(Verb verb) const { return verb == Verb::list ? list_ : watch_; }
  std::string message(Verb verb) const;

  std::string resource_;
  std::optional<Failure> list_;
  std::optional<Failure> watch_;
};

}  // namespace kube::inline cache
