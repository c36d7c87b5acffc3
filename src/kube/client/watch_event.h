// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"

#include <string>
#include <string_view>

namespace kube::inline client {

// Splits the bytes of a watch into lines. HTTP chunks are independent of events: an event may
// arrive in several chunks, several events in one chunk, and a broken connection leaves a partial
// event.
class LineSplitter {
 public:
  std::string& buffer() { return buffer_; }

  // Returns the next complete line without its line break, valid until the next call or append;
  // empty if only a part of a line is left.
  std::optional<std::string_view> next();
  // Discards the lines that were returned; call before appending more.
  void compact();

 private:
  std::string buffer_;
  std::size_t taken_ = 0;
};

enum class EventType { added, modified, deleted, bookmark, error };

struct WatchEvent {
  EventType type;
  json::Node object;
};

base::Result<WatchEvent> read_event(const json::Node& line);

// metadata.resourceVersion, empty if there is none.
std::string_view resource_version(const json::Node& object);

// Returns the error of an ERROR event, from its Status object.
base::Error error_in_event(const json::Node& status);

}  // namespace kube::inline client
