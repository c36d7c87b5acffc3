// SPDX-License-Identifier: Apache-2.0
#include "kube/client/read_answer.h"

#include <string>

namespace kube::inline client {
namespace {

std::string text(const json::Node& object, std::string_view key) {
  const auto member = object.find(key);
  return std::string(member ? member->as_string().value_or("") : "");
}

}  // namespace

bool is_status(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse(body);
  return root.ok() && text(*root, "kind") == "Status" && text(*root, "apiVersion") == "v1";
}

base::Result<void> check_list(const json::Node& page) {
  bool has_items = false;
  page.each_member([&](std::string_view key, json::Node) {
    has_items = key == "items";
    return !has_items;
  });
  if (has_items) return {};
  return base::Error(base::Kind::protocol, "the answer is no list: it has no items");
}

PartialObject known_of(const json::Node& object) {
  if (auto whole = decode_object<PartialObject>(object); whole.ok())
    return std::move(whole).value();
  PartialObject known;
  known.apiVersion = text(object, "apiVersion");
  known.kind = text(object, "kind");
  const auto metadata = object.find("metadata");
  if (!metadata) return known;
  known.metadata.name = text(*metadata, "name");
  known.metadata.namespace_ = text(*metadata, "namespace");
  if (const auto labels = metadata->find("labels")) {
    labels->each_member([&](std::string_view key, json::Node value) {
      if (const auto label = value.as_string())
        known.metadata.labels.emplace(std::string(key), std::string(*label));
      return true;
    });
  }
  return known;
}

}  // namespace kube::inline client
