// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/node.h"

#include <string>
#include <string_view>

namespace kube::inline client {

// Cuts the bytes of a watch into lines. HTTP chunks have nothing to do with events: an event may
// arrive in many pieces, many in one piece, and a broken connection leaves half of one behind.
class LineSplitter {
 public:
  std::string& buffer() { return buffer_; }

  // The next complete line without its end, valid until the next call or append; empty optional
  // when only a part of a line is left.
  std::optional<std::string_view> next();
  // Forgets what was handed out; call before appending more.
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

// The error that an ERROR event carries in its Status object.
base::Error error_in_event(const json::Node& status);

}  // namespace kube::inline client
