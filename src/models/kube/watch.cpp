// SPDX-License-Identifier: Apache-2.0
// Watches: the changes after a version, for one selection.
#include "base/integer.h"
#include "models/kube/defaults.h"
#include "models/kube/list_options.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace models::kube {
namespace {

constexpr std::size_t kMostSelectors = 1024;  // kept parsed

void append_event(std::string& out, std::string_view type, std::string_view object) {
  out += R"({"type":")";
  out += type;
  out += R"(","object":)";
  out += object;
  out += "}\n";
}

bool is_inside(std::string_view key, std::string_view ns) {
  return ns.empty() || (key.size() > ns.size() && key[ns.size()] == '/' && key.starts_with(ns));
}

std::string bookmark_line(const KubeResource& resource,
                          std::uint64_t version,
                          std::string_view annotations) {
  return fmt::format(R"({{"type":"BOOKMARK","object":{{"kind":"{}","apiVersion":"{}",)"
                     R"("metadata":{{"resourceVersion":"{}"{}}}}}}})"
                     "\n",
                     resource.kind,
                     resource.api_version(),
                     version,
                     annotations);
}

}  // namespace

bool KubeServer::is_watch(const net::http::Request& request) {
  return asks_for_watch(request.method, request.target);
}

std::variant<net::http::Response, WatchCursor> KubeServer::open_watch(
    const net::http::Request& request) const {
  KubeTarget target;
  if (Refused refused = parse_target(request.target, served_, target)) return answer(*refused);
  if (Refused refused = check_watch_options(target.query)) return answer(*refused);
  const Query& query = target.query;
  WatchCursor cursor;
  cursor.plural = target.resource().plural;
  cursor.group = target.resource().group;
  cursor.ns = target.ns;
  cursor.label_selector = query.get("labelSelector");
  cursor.field_selector = query.get("fieldSelector");
  if (!target.name.empty()) cursor.field_selector = "metadata.name=" + target.name;
  const auto parsed =
      Selector::parse(cursor.label_selector, cursor.field_selector, target.resource());
  if (!parsed.ok()) return answer(bad_request(parsed.error().message()));

  cursor.seen = version_;
  const std::string_view version = query.get("resourceVersion");
  const bool tells_all = query.is_true("sendInitialEvents");
  if (tells_all || (!query.has("sendInitialEvents") && (version.empty() || version == "0"))) {
    cursor.listing_from = target.ns.empty() ? "" : target.ns + "/";
    cursor.bookmark_after_listing = tells_all && query.is_true("allowWatchBookmarks");
    return cursor;
  }
  if (version.empty()) return cursor;
  const auto number = base::parse_integer<std::uint64_t>(version);
  if (!number.ok()) {
    return answer(internal_error(fmt::format(
        "resourceVersion: Invalid value: \"{0}\": strconv.ParseUint: parsing \"{0}\": invalid "
        "syntax",
        version)));
  }
  if (*number > 0) cursor.seen = *number;  // may be in the future
  return cursor;
}

const Selector& KubeServer::selector(const WatchCursor& cursor,
                                     const KubeResource& resource) const {
  static const Selector kAll;
  if (cursor.label_selector.empty() && cursor.field_selector.empty()) return kAll;
  std::string key = resource.qualified_plural();
  key.append(1, '\n').append(cursor.label_selector).append(1, '\n').append(cursor.field_selector);
  if (const auto known = selectors_.find(key); known != selectors_.end()) return known->second;
  auto parsed = Selector::parse(cursor.label_selector, cursor.field_selector, resource);
  if (selectors_.size() >= kMostSelectors) selectors_.clear();
  // Checked when the watch was opened; a cursor that a test created by hand gets everything.
  return selectors_.emplace(std::move(key), parsed.ok() ? *std::move(parsed) : Selector())
      .first->second;
}

std::size_t KubeServer::read_watch(WatchCursor& cursor,
                                   std::string& append_to,
                                   std::size_t limit) const {
  const ServedResource* served = served_as(cursor.plural, cursor.group);
  if (served == nullptr || limit == 0) return 0;
  const std::uint64_t floor = collections_[served->storage].floor();
  if (cursor.seen < floor) {
    const Refusal refusal =
        expired(fmt::format("too old resource version: {} ({})", cursor.seen, floor));
    append_event(append_to, "ERROR", json::Value(status_object(refusal)).dump());
    return 1;
  }
  std::size_t lines = 0;
  if (cursor.listing_from) lines = append_objects(cursor, append_to, limit);
  if (!cursor.listing_from && lines < limit)
    lines += append_changes(cursor, append_to, limit - lines);
  return lines;
}

std::size_t KubeServer::append_objects(WatchCursor& cursor,
                                       std::string& append_to,
                                       std::size_t limit) const {
  const ServedResource& served = *served_as(cursor.plural, cursor.group);
  const Selector& wanted = selector(cursor, served.resource);
  const bool is_converted = served.resource.group == "events.k8s.io";
  std::size_t lines = 0;
  std::optional<std::string> rest;
  const auto append_object = [&](const std::string& key, const RevisionPtr& revision) {
    if (!is_inside(key, cursor.ns)) return false;
    if (!wanted.matches(revision->value)) return true;
    if (lines == limit) {
      rest = key;
      return false;
    }
    append_event(
        append_to, "ADDED", is_converted ? to_new_event(revision->value).dump() : revision->text);
    ++lines;
    return true;
  };
  collections_[served.storage].each_at(cursor.seen, *cursor.listing_from, append_object);
  cursor.listing_from = std::move(rest);
  if (cursor.listing_from || !std::exchange(cursor.bookmark_after_listing, false)) return lines;
  append_to += bookmark_line(
      served.resource, cursor.seen, R"(,"annotations":{"k8s.io/initial-events-end":"true"})");
  return lines + 1;
}

std::size_t KubeServer::append_changes(WatchCursor& cursor,
                                       std::string& append_to,
                                       std::size_t limit) const {
  const ServedResource& served = *served_as(cursor.plural, cursor.group);
  const Collection& objects = collections_[served.storage];
  const Selector& wanted = selector(cursor, served.resource);
  const bool is_converted = served.resource.group == "events.k8s.io";
  std::size_t lines = 0;
  auto change = objects.after(cursor.seen);
  for (; change != objects.history().end() && lines < limit; ++change) {
    cursor.seen = change->version();
    if (!is_inside(change->key(), cursor.ns)) continue;
    const bool was = change->before() != nullptr && wanted.matches(change->before()->value);
    const bool is = change->after() != nullptr && wanted.matches(change->after()->value);
    if (!was && !is) continue;
    const std::string_view type = !is ? "DELETED" : was ? "MODIFIED" : "ADDED";
    if (is_converted) {
      const json::Value& event = is ? change->after()->value : change->last_value();
      append_event(append_to, type, to_new_event(event).dump());
    } else {
      append_event(append_to, type, is ? change->after()->text : change->last_text());
    }
    ++lines;
  }
  if (change == objects.history().end()) cursor.seen = std::max(cursor.seen, version_);
  return lines;
}

std::string KubeServer::bookmark(const WatchCursor& cursor) const {
  const ServedResource* served = served_as(cursor.plural, cursor.group);
  if (served == nullptr) return {};
  return bookmark_line(served->resource, cursor.seen, "");
}

}  // namespace models::kube
