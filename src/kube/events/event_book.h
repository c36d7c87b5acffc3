// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/lru_map.h"
#include "base/token_bucket.h"
#include "json/value.h"
#include "kube/api/lease.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace kube::inline events {

// The object that an event is about.
struct EventSubject {
  std::string_view kind;  // "Pod"
  ObjectKey key;
  Uid uid;
  std::string_view api_version = "v1";

  friend auto operator<=>(const EventSubject&, const EventSubject&) = default;
};
EventSubject subject(const Pod& pod);
EventSubject subject(const Node& node);
EventSubject subject(const Lease& lease);

enum class Severity { normal, warning };

// What `kubectl describe` shows in its last lines.
struct Happening {
  EventSubject about;
  Severity severity = Severity::normal;
  std::string reason;   // one CamelCase word, for machines
  std::string message;  // a sentence, for people

  friend auto operator<=>(const Happening&, const Happening&) = default;
};

struct EventLimits {
  std::size_t queue = 256;                                  // events that wait to be written
  std::size_t remembered = 1024;                            // for counting repeats
  base::Allowance per_object{25, std::chrono::minutes(5)};  // writes about one object
  static constexpr std::size_t kMessageBytes = 1024;        // the API server's own limits
  static constexpr std::size_t kReasonBytes = 128;
};

// One write that the API server has to be asked for.
struct EventWrite {
  bool create = true;  // else a merge patch
  ObjectKey key;
  json::Object body;
};

// Which events are to be written, without I/O: repeats of one happening are one Event with a count.
//
// Guarantees  memory is bounded whatever is recorded; about one object no more is written than
//             allowed, and a repeat that is not written now is in the count of the next write.
// Does not    write, wait or know a clock.
class EventBook {
 public:
  EventBook(std::string component, std::string instance, EventLimits limits);

  struct Now {
    base::Instant instant;
    base::WallTime wall;
    std::uint64_t random;  // for a name
  };
  // False if it was dropped: too much waits, or too much was said about this object.
  bool record(Happening happening, const Now& now);

  // The next write, and how it ended. At most one is under way: written(), missing() or given_up()
  // comes before the next next().
  std::optional<EventWrite> next();
  void written();
  // The Event is gone (they live for an hour): the next one is written anew, under a new name.
  void missing(std::uint64_t random);
  void given_up();

  std::size_t waiting() const { return queue_.size(); }
  std::size_t remembered() const { return entries_.size(); }

 private:
  struct Entry {
    std::string name;
    std::int64_t count = 0;
    base::WallTime first{};
    base::WallTime last{};
    bool exists = false;
    bool queued = false;
  };

  bool may_write(const EventSubject& subject, base::Instant now);
  json::Object create_body(const Happening& happening, const Entry& entry) const;

  std::string component_;
  std::string instance_;
  EventLimits limits_;
  base::LruMap<Happening, Entry> entries_;
  base::LruMap<EventSubject, base::TokenBucket> buckets_;
  std::deque<Happening> queue_;
  std::optional<Happening> under_way_;
};

}  // namespace kube::inline events
