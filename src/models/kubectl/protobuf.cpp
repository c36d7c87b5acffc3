// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/protobuf.h"

#include "models/kube/json.h"

#include <cstdint>
#include <string>
#include <utility>

namespace models::kubectl {
namespace {

// One field of a message: its number and, if it is of variable length, its bytes.
struct Field {
  std::uint64_t number = 0;
  std::string_view bytes;
};

class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  // False at the end, or if the message is malformed.
  bool next(Field& field) {
    std::uint64_t tag = 0;
    if (rest_.empty() || !varint(tag)) return false;
    field = {tag >> 3U, {}};
    std::uint64_t value = 0;
    switch (tag & 7U) {
      case 0: return varint(value);
      case 1: return skip(8);
      case 2:
        if (!varint(value) || value > rest_.size()) return false;
        field.bytes = rest_.substr(0, value);
        return skip(value);
      case 5: return skip(4);
      default: return false;
    }
  }

 private:
  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  bool skip(std::uint64_t count) {
    if (count > rest_.size()) return false;
    rest_.remove_prefix(count);
    return true;
  }

  std::string_view rest_;
};

std::string_view field_of(std::string_view message, std::uint64_t number) {
  Message fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == number) return field.bytes;
  }
  return {};
}

json::Object metadata_of(std::string_view message) {
  json::Object metadata;
  Message fields(message);
  for (Field field; fields.next(field);) {
    if (field.number == 1 && !field.bytes.empty()) metadata.set("name", field.bytes);
    if (field.number == 2 && !field.bytes.empty()) metadata.set("generateName", field.bytes);
    if (field.number == 3 && !field.bytes.empty()) metadata.set("namespace", field.bytes);
    if (field.number == 11 || field.number == 12) {
      kube::object_in(metadata, field.number == 11 ? "labels" : "annotations")
          .set(field_of(field.bytes, 1), field_of(field.bytes, 2));
    }
  }
  return metadata;
}

}  // namespace

std::optional<json::Value> read_protobuf(std::string_view body) {
  constexpr std::string_view kMagic("k8s\0", 4);
  if (!body.starts_with(kMagic)) return std::nullopt;
  body.remove_prefix(kMagic.size());
  const std::string_view type = field_of(body, 1);
  const std::string_view object = field_of(body, 2);
  if (type.empty()) return std::nullopt;
  return json::Object{{"kind", field_of(type, 2)},
                      {"apiVersion", field_of(type, 1)},
                      {"metadata", metadata_of(field_of(object, 1))}};
}

}  // namespace models::kubectl
