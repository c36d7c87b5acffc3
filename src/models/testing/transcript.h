// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: replays on the model what was recorded from a real API server
// (tests/fixtures/kubernetes).

#include "json/pointer.h"
#include "models/kube/json.h"
#include "models/kube/server.h"
#include "models/kubectl/face.h"
#include "source_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace models::testing {

using Kept = std::map<std::string, std::string>;

inline json::Value transcript(std::string_view name) {
  std::ifstream file(in_source_tree(fmt::format("tests/fixtures/kubernetes/{}", name)));
  std::stringstream text;
  text << file.rdbuf();
  auto value = json::parse(text.str());
  return value.ok() ? *std::move(value) : json::Value();
}

// Replaces "{{name}}" with the value that was kept under that name.
inline std::string filled(std::string text, const Kept& kept) {
  for (const auto& [name, value] : kept) {
    const std::string mark = "{{" + name + "}}";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

// A recorded text, in which marks such as <time> match anything.
inline bool is_like(std::string_view recorded, std::string_view text) {
  static constexpr std::string_view kMarks[] = {
      "<time>", "<uid>", "<resourceVersion>", "<continue>", "<number>", "<anything>", "<age>"};
  const std::size_t begin = recorded.find('<');
  if (begin == std::string_view::npos) return recorded == text;
  const auto mark = std::ranges::find_if(
      kMarks, [&](std::string_view one) { return recorded.substr(begin).starts_with(one); });
  if (mark == std::end(kMarks)) return recorded == text;
  if (!text.starts_with(recorded.substr(0, begin))) return false;
  for (std::size_t end = begin; end <= text.size(); ++end) {
    if (is_like(recorded.substr(begin + mark->size()), text.substr(end))) return true;
  }
  return false;
}

// The first difference of two answers: "" if they are equal.
inline std::string difference(const json::Value& recorded,
                              const json::Value& actual,
                              const Kept& kept) {
  if (recorded.as_object() != nullptr && actual.as_object() != nullptr) {
    for (const json::Member& member : *recorded.as_object()) {
      const json::Value* other = actual.find(member.key);
      if (other == nullptr) return fmt::format(".{} is missing", member.key);
      const std::string inside = difference(member.value, *other, kept);
      if (!inside.empty()) return "." + member.key + inside;
    }
    for (const json::Member& member : *actual.as_object()) {
      if (recorded.find(member.key) == nullptr) return fmt::format(".{} is too much", member.key);
    }
    return "";
  }
  if (recorded.as_array() != nullptr && actual.as_array() != nullptr) {
    const json::Array& wanted = *recorded.as_array();
    const json::Array& got = *actual.as_array();
    for (std::size_t i = 0; i < std::min(wanted.size(), got.size()); ++i) {
      const std::string inside = difference(wanted[i], got[i], kept);
      if (!inside.empty()) return fmt::format("[{}]{}", i, inside);
    }
    if (wanted.size() == got.size()) return "";
    return fmt::format(" has {} elements instead of {}", got.size(), wanted.size());
  }
  if (recorded.as_string() != nullptr && actual.as_string() != nullptr &&
      is_like(filled(*recorded.as_string(), kept), *actual.as_string())) {
    return "";
  }
  if (recorded == actual) return "";
  return fmt::format(" is {} instead of {}", actual.dump(), filled(recorded.dump(), kept));
}

struct Outcome {
  int status = 0;
  json::Value answer;
};

inline Outcome watched(const kube::KubeServer& server, const net::http::Request& request) {
  auto opened = server.open_watch(request);
  if (const auto* refused = std::get_if<net::http::Response>(&opened)) {
    return {refused->status, *json::parse(refused->body)};
  }
  auto& cursor = std::get<kube::WatchCursor>(opened);
  std::string lines;
  while (server.read_watch(cursor, lines, 1) > 0) {
  }
  json::Array events;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) events.push_back(*json::parse(line));
  return {200, events};
}

// Columns and cells of a table.
inline json::Value table_only(const json::Value& table) {
  json::Array columns;
  for (const json::Value& column : kube::array_at(table, {"columnDefinitions"})) {
    columns.emplace_back(
        json::Array{*column.find("name"), *column.find("format"), *column.find("priority")});
  }
  json::Array rows;
  for (const json::Value& row : kube::array_at(table, {"rows"})) rows.push_back(*row.find("cells"));
  return json::Object{{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

inline Outcome play(kube::KubeServer& server, const json::Value& step, const Kept& kept) {
  const base::VirtualClock clock;
  kubectl::KubectlFace face(server, clock);  // passes other requests through
  const bool is_watch = kube::text_at(step, {"do"}) == "WATCH";
  net::http::Request request(is_watch ? "GET" : std::string(kube::text_at(step, {"do"})),
                             filled(std::string(kube::text_at(step, {"at"})), kept));
  if (const json::Value* body = step.find("body")) request.body = filled(body->dump(), kept);
  const std::string_view type = kube::text_at(step, {"type"});
  request.headers.emplace_back("Content-Type",
                               type.empty() ? "application/json" : std::string(type));
  EXPECT_EQ(kube::KubeServer::is_watch(request), is_watch) << request.target;
  if (is_watch) return watched(server, request);
  const bool is_table = step.find("table") != nullptr;
  if (is_table)
    request.headers.emplace_back("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
  const net::http::Response response = face.handle(request);
  auto answer = json::parse(response.body);
  if (is_table && response.status == 200) return {200, table_only(*answer)};
  return {response.status, answer.ok() ? *std::move(answer) : json::Value(response.body)};
}

inline void keep(const json::Value& step, const json::Value& answer, Kept& kept) {
  for (const json::Member& member : kube::object_at(step, {"keep"})) {
    const json::Value* value = json::find(answer, *json::parse_pointer(*member.value.as_string()));
    if (value != nullptr && value->as_string() != nullptr) kept[member.key] = *value->as_string();
  }
}

// Of the object of a bookmark only the metadata is compared.
inline json::Value without_spec_of_bookmarks(json::Value answer) {
  if (answer.as_array() == nullptr) return answer;
  for (json::Value& event : *answer.as_array()) {
    if (kube::text_at(event, {"type"}) != "BOOKMARK") continue;
    kube::at(event, {"object"})->as_object()->erase("spec");
    kube::at(event, {"object"})->as_object()->erase("status");
  }
  return answer;
}

// Creates the namespace of a target unless it exists.
inline void need_namespace(kube::KubeServer& server, std::string_view target) {
  const std::size_t at = target.find("/namespaces/");
  if (at == std::string_view::npos) return;
  const std::string_view rest = target.substr(at + 12);
  const std::string name(rest.substr(0, rest.find('/')));
  const bool is_recorded = name.starts_with("s-") || name.starts_with("g-");
  if (!is_recorded || server.find({"namespaces", "", name}) != nullptr) return;
  const json::Value body = json::Object{{"metadata", json::Object{{"name", name}}}};
  ASSERT_EQ(server.handle({"POST", "/api/v1/namespaces", body.dump()}).status, 201);
}

inline std::string described(const json::Value& step) {
  return fmt::format("{} {} {}",
                     kube::text_at(step, {"do"}),
                     kube::text_at(step, {"at"}),
                     step.find("body") == nullptr ? "" : step.find("body")->dump());
}

}  // namespace models::testing
