// SPDX-License-Identifier: Apache-2.0
#include "kube/client/watch_event.h"

#include "kube/client/client.h"

#include <fmt/format.h>

namespace kube::inline client {

std::optional<std::string_view> LineSplitter::next() {
  const std::size_t end = buffer_.find('\n', taken_);
  if (end == std::string::npos) return std::nullopt;
  const std::string_view line = std::string_view(buffer_).substr(taken_, end - taken_);
  taken_ = end + 1;
  return line;
}

void LineSplitter::compact() {
  buffer_.erase(0, taken_);
  taken_ = 0;
}

base::Result<WatchEvent> read_event(const json::Node& line) {
  const auto type = line.find("type");
  const auto object = line.find("object");
  const auto type_name = type ? type->as_string() : std::nullopt;
  if (!type_name || !object || object->type() != json::Type::object) {
    return base::Error(base::Kind::protocol, "a watch event without type and object");
  }
  if (*type_name == "ADDED") return WatchEvent{EventType::added, *object};
  if (*type_name == "MODIFIED") return WatchEvent{EventType::modified, *object};
  if (*type_name == "DELETED") return WatchEvent{EventType::deleted, *object};
  if (*type_name == "BOOKMARK") return WatchEvent{EventType::bookmark, *object};
  if (*type_name == "ERROR") return WatchEvent{EventType::error, *object};
  return base::Error(base::Kind::protocol,
                     fmt::format("a watch event of unknown type {:?}", *type_name));
}

std::string_view resource_version(const json::Node& object) {
  const auto metadata = object.find("metadata");
  const auto version = metadata ? metadata->find("resourceVersion") : std::nullopt;
  return version ? version->as_string().value_or("") : "";
}

base::Error error_in_event(const json::Node& status) {
  const auto code = status.find("code");
  const auto number = code ? code->as_int().value_or(500) : 500;
  const int http_status = number >= 400 && number < 600 ? static_cast<int>(number) : 500;
  return error_of(http_status, status.to_value().dump(), {});
}

}  // namespace kube::inline client
