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

// One event as `kubectl describe` shows it.
struct EventRecord {
  EventSubject about;
  Severity severity = Severity::normal;
  std::string reason;   // one CamelCase word, for machines
  std::string message;  // a sentence, for people

  friend auto operator<=>(const EventRecord&, const EventRecord&) = default;
};

struct EventLimits {
  std::size_t queue = 256;                                  // events that wait to be written
  std::size_t remembered = 1024;                            // for counting repeats
  base::Allowance per_object{25, std::chrono::minutes(5)};  // writes about one object
  static constexpr std::size_t kMessageBytes = 1024;        // the API server's own limits
  static constexpr std::size_t kReasonBytes = 128;
};

// One request to the API server.
struct EventWrite {
  bool create = true;  // else a merge patch
  ObjectKey key;
  json::Object body;
};

// Decides which Events to write. Equal records become one Event with a count.
//
// Guarantees  memory is bounded for any input; writes about one object stay within
//             EventLimits::per_object; a repeat that is not written now is included in the count of
//             the next write.
// Does not    do I/O, wait or read a clock.
class EventAggregator {
 public:
  EventAggregator(std::string component, std::string instance, EventLimits limits);

  struct Now {
    base::Instant instant;
    base::WallTime wall;
    std::uint64_t random;  // for a name
  };
  // Returns false if the event was dropped: the queue is full, or the limit of its object is
  // reached.
  bool record(EventRecord event, const Now& now);

  // Returns the next write. At most one is in progress: the caller reports its outcome with
  // written(), missing() or given_up() before it calls next() again.
  std::optional<EventWrite> next();
  void written();
  // The Event to be patched no longer exists (Events expire after an hour): it is created again
  // under a new name.
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
  json::Object create_body(const EventRecord& event, const Entry& entry) const;

  std::string component_;
  std::string instance_;
  EventLimits limits_;
  base::LruMap<EventRecord, Entry> entries_;
  base::LruMap<EventSubject, base::TokenBucket> buckets_;
  std::deque<EventRecord> queue_;
  std::optional<EventRecord> in_progress_;
};

}  // namespace kube::inline events
