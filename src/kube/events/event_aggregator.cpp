// SPDX-License-Identifier: Apache-2.0
#include "kube/events/event_aggregator.h"

#include "base/rfc3339.h"
#include "base/utf8.h"

#include <fmt/format.h>

namespace kube::inline events {
namespace {

std::string shortened(std::string text, std::size_t most) {
  constexpr std::string_view kMore = "...";
  text = base::repair_utf8(std::move(text));
  if (text.size() <= most) return text;
  return std::string(base::utf8_front(text, most - kMore.size())).append(kMore);
}

// Events about cluster-scoped objects are stored in this namespace, where kubectl looks for them.
std::string namespace_for(const EventSubject& about) {
  return about.key.ns.empty() ? "default" : about.key.ns;
}

std::string event_name(const EventSubject& about, std::uint64_t random) {
  constexpr std::size_t kRoom = 253 - 17;  // limit of a name, minus ".0123456789abcdef"
  std::string front = about.key.name.substr(0, kRoom);
  while (!front.empty() && (front.back() == '.' || front.back() == '-')) front.pop_back();
  return fmt::format("{}.{:016x}", front, random);
}

}  // namespace

EventSubject subject(const Pod& pod) {
  return {"Pod", pod.metadata.key(), pod.metadata.uid};
}

EventSubject subject(const Node& node) {
  return {"Node", {"", node.metadata.name}, node.metadata.uid};
}

EventSubject subject(const Lease& lease) {
  return {"Lease", lease.metadata.key(), lease.metadata.uid, "coordination.k8s.io/v1"};
}

EventAggregator::EventAggregator(std::string component, std::string instance, EventLimits limits)
    : component_(std::move(component)),
      instance_(std::move(instance)),
      limits_(limits),
      entries_(limits.remembered),
      buckets_(limits.remembered) {}

bool EventAggregator::may_write(const EventSubject& about, base::Instant now) {
  return buckets_.touch(about).take(limits_.per_object, now);
}

bool EventAggregator::record(EventRecord event, const Now& now) {
  event.message = shortened(std::move(event.message), EventLimits::kMessageBytes);
  event.reason = shortened(std::move(event.reason), EventLimits::kReasonBytes);

  Entry* known = entries_.find(event);
  const bool waits = known != nullptr && known->queued;
  const bool is_queued =
      waits || (queue_.size() < limits_.queue && may_write(event.about, now.instant));
  if (known == nullptr && !is_queued) return false;

  Entry& entry = entries_.touch(event);
  if (entry.name.empty()) {
    entry.name = event_name(event.about, now.random);
    entry.first = now.wall;
  }
  ++entry.count;
  entry.last = now.wall;
  if (!is_queued) return false;
  if (!waits) {
    entry.queued = true;
    queue_.push_back(std::move(event));
  }
  return true;
}

std::optional<EventWrite> EventAggregator::next() {
  while (!queue_.empty()) {
    in_progress_ = std::move(queue_.front());
    queue_.pop_front();
    Entry* entry = entries_.find(*in_progress_);
    if (entry == nullptr) continue;  // dropped from entries_ in favour of newer ones
    entry->queued = false;
    EventWrite write{.create = !entry->exists,
                     .key = {namespace_for(in_progress_->about), entry->name},
                     .body = {}};
    write.body = write.create ? create_body(*in_progress_, *entry)
                              : json::Object{{"count", entry->count},
                                             {"lastTimestamp", base::format_rfc3339(entry->last)}};
    return write;
  }
  in_progress_.reset();
  return std::nullopt;
}

json::Object EventAggregator::create_body(const EventRecord& event, const Entry& entry) const {
  const EventSubject& about = event.about;
  const std::string ns = namespace_for(about);
  json::Object involved{
      {"apiVersion", about.api_version}, {"kind", about.kind}, {"name", about.key.name}};
  if (!about.key.ns.empty()) involved.set("namespace", about.key.ns);
  involved.set("uid", about.uid.value());
  return {{"apiVersion", "v1"},
          {"kind", "Event"},
          {"metadata", json::Object{{"name", entry.name}, {"namespace", ns}}},
          {"involvedObject", std::move(involved)},
          {"reason", event.reason},
          {"message", event.message},
          {"type", event.severity == Severity::normal ? "Normal" : "Warning"},
          {"source", json::Object{{"component", component_}}},
          {"reportingComponent", component_},
          {"reportingInstance", instance_},
          {"firstTimestamp", base::format_rfc3339(entry.first)},
          {"lastTimestamp", base::format_rfc3339(entry.last)},
          {"count", entry.count}};
}

void EventAggregator::written() {
  if (Entry* entry = in_progress_ ? entries_.find(*in_progress_) : nullptr) {
    entry->exists = true;
  }
  in_progress_.reset();
}

void EventAggregator::missing(std::uint64_t random) {
  if (Entry* entry = in_progress_ ? entries_.find(*in_progress_) : nullptr) {
    entry->exists = false;
    entry->name = event_name(in_progress_->about, random);
    if (!entry->queued) {
      entry->queued = true;
      queue_.push_front(*in_progress_);
    }
  }
  in_progress_.reset();
}

void EventAggregator::given_up() {
  if (Entry* entry = in_progress_ ? entries_.find(*in_progress_) : nullptr;
      entry != nullptr && !entry->exists && !entry->queued)
    entries_.erase(*in_progress_);
  in_progress_.reset();
}

}  // namespace kube::inline events
