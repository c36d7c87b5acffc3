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

// One change of a collection's health that people are told about.
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
//             after each page or event that was taken in.
// Guarantees  one report when the requests of a verb have failed for kReportAfter, however often
//             they are repeated, and one when the verb works again. A second report follows only
//             if an outage of the server turns into a failure that no waiting ends.
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
  // The server accepted a watch. That proves nothing if the events that it sends make no sense.
  std::optional<ListWatchReport> opened();
  std::optional<ListWatchReport> succeeded(Verb verb);

  // A sentence if what is known of the collection cannot be relied on, else empty. An API server
  // that is away while the collection is watched does not count: nobody knows better than we do.
  std::string problem() const;
  // A failure of this verb was reported and is not over.
  bool is_reported(Verb verb) const { return of(verb) && of(verb)->reported; }

 private:
  struct Failure {
    base::Instant since;
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
