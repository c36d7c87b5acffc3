// SPDX-License-Identifier: Apache-2.0
// The model answers as a real API server did: tests/fixtures/kubernetes/transcript.json was
// recorded from one, and is played here again.
#include "json/pointer.h"
#include "models/kube_json.h"
#include "models/kube_server.h"
#include "models/kubectl_face.h"
#include "source_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace models {
namespace {

using Kept = std::map<std::string, std::string>;

json::Value transcript() {
  std::ifstream file(in_source_tree("tests/fixtures/kubernetes/transcript.json"));
  std::stringstream text;
  text << file.rdbuf();
  auto value = json::parse(text.str());
  return value.ok() ? *std::move(value) : json::Value();
}

// "{{name}}" becomes what was kept under that name.
std::string filled(std::string text, const Kept& kept) {
  for (const auto& [name, value] : kept) {
    const std::string mark = "{{" + name + "}}";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

// A text as recorded, in which marks like <time> stand for anything.
bool is_like(std::string_view recorded, std::string_view text) {
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

// Where two answers differ: "" if nowhere.
std::string difference(const json::Value& recorded, const json::Value& told, const Kept& kept) {
  if (recorded.as_object() != nullptr && told.as_object() != nullptr) {
    for (const json::Member& member : *recorded.as_object()) {
      const json::Value* other = told.find(member.key);
      if (other == nullptr) return fmt::format(".{} is missing", member.key);
      const std::string inside = difference(member.value, *other, kept);
      if (!inside.empty()) return "." + member.key + inside;
    }
    for (const json::Member& member : *told.as_object()) {
      if (recorded.find(member.key) == nullptr) return fmt::format(".{} is too much", member.key);
    }
    return "";
  }
  if (recorded.as_array() != nullptr && told.as_array() != nullptr) {
    const json::Array& wanted = *recorded.as_array();
    const json::Array& got = *told.as_array();
    for (std::size_t i = 0; i < std::min(wanted.size(), got.size()); ++i) {
      const std::string inside = difference(wanted[i], got[i], kept);
      if (!inside.empty()) return fmt::format("[{}]{}", i, inside);
    }
    if (wanted.size() == got.size()) return "";
    return fmt::format(" has {} elements instead of {}", got.size(), wanted.size());
  }
  if (recorded.as_string() != nullptr && told.as_string() != nullptr &&
      is_like(filled(*recorded.as_string(), kept), *told.as_string())) {
    return "";
  }
  if (recorded == told) return "";
  return fmt::format(" is {} instead of {}", told.dump(), filled(recorded.dump(), kept));
}

struct Told {
  int status = 0;
  json::Value answer;
};

Told watched(const KubeServer& server, const net::http::Request& request) {
  auto opened = server.open_watch(request);
  if (const auto* refused = std::get_if<net::http::Response>(&opened)) {
    return {refused->status, *json::parse(refused->body)};
  }
  auto& cursor = std::get<WatchCursor>(opened);
  std::string lines;
  while (server.read_watch(cursor, lines, 1) > 0) {
  }
  json::Array events;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) events.push_back(*json::parse(line));
  return {200, events};
}

// Columns and cells of a table.
json::Value table_only(const json::Value& table) {
  json::Array columns;
  for (const json::Value& column : array_at(table, {"columnDefinitions"})) {
    columns.emplace_back(
        json::Array{*column.find("name"), *column.find("format"), *column.find("priority")});
  }
  json::Array rows;
  for (const json::Value& row : array_at(table, {"rows"})) rows.push_back(*row.find("cells"));
  return json::Object{{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Told play(KubeServer& server, const json::Value& step, const Kept& kept) {
  const base::VirtualClock clock;
  KubectlFace face(server, clock);  // leaves alone what is not its own
  const bool is_watch = text_at(step, {"do"}) == "WATCH";
  net::http::Request request(is_watch ? "GET" : std::string(text_at(step, {"do"})),
                             filled(std::string(text_at(step, {"at"})), kept));
  if (const json::Value* body = step.find("body")) request.body = filled(body->dump(), kept);
  const std::string_view type = text_at(step, {"type"});
  request.headers.emplace_back("Content-Type",
                               type.empty() ? "application/json" : std::string(type));
  EXPECT_EQ(KubeServer::is_watch(request), is_watch) << request.target;
  if (is_watch) return watched(server, request);
  const bool is_table = step.find("table") != nullptr;
  if (is_table)
    request.headers.emplace_back("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
  const net::http::Response response = face.handle(request);
  auto answer = json::parse(response.body);
  if (is_table && response.status == 200) return {200, table_only(*answer)};
  return {response.status, answer.ok() ? *std::move(answer) : json::Value(response.body)};
}

void keep(const json::Value& step, const json::Value& answer, Kept& kept) {
  for (const json::Member& member : object_at(step, {"keep"})) {
    const json::Value* value = json::find(answer, *json::parse_pointer(*member.value.as_string()));
    if (value != nullptr && value->as_string() != nullptr) kept[member.key] = *value->as_string();
  }
}

// A bookmark's object is of no interest but for its metadata.
json::Value without_spec_of_bookmarks(json::Value answer) {
  if (answer.as_array() == nullptr) return answer;
  for (json::Value& event : *answer.as_array()) {
    if (text_at(event, {"type"}) != "BOOKMARK") continue;
    at(event, {"object"})->as_object()->erase("spec");
    at(event, {"object"})->as_object()->erase("status");
  }
  return answer;
}

// The recording is without them.
json::Value without_managers(json::Value answer) {
  if (json::Value* metadata = at(answer, {"metadata"}); metadata && metadata->as_object())
    metadata->as_object()->erase("managedFields");
  return answer;
}

TEST(KubeServerConformance, AnswersAsARealServerDid) {
  const json::Value stories = transcript();
  ASSERT_NE(stories.as_array(), nullptr);
  ASSERT_GT(stories.as_array()->size(), 20U);
  const base::VirtualClock clock;
  KubeServer server(clock);
  std::set<std::string> spaces;
  for (const json::Value& story : *stories.as_array()) {
    SCOPED_TRACE(text_at(story, {"name"}));
    Kept kept;
    for (const json::Value& step : array_at(story, {"steps"})) {
      const std::string_view target = text_at(step, {"at"});
      if (const std::size_t at = target.find("/namespaces/s-"); at != std::string_view::npos) {
        const std::string_view rest = target.substr(at + 12);
        const std::string space(rest.substr(0, rest.find('/')));
        if (spaces.insert(space).second) {
          const json::Value body = json::Object{{"metadata", json::Object{{"name", space}}}};
          ASSERT_EQ(server.handle({"POST", "/api/v1/namespaces", body.dump()}).status, 201);
        }
      }
      const Told told = play(server, step, kept);
      keep(step, told.answer, kept);
      const std::string what =
          fmt::format("{} {} {}",
                      text_at(step, {"do"}),
                      target,
                      step.find("body") == nullptr ? "" : step.find("body")->dump());
      EXPECT_EQ(told.status, *step.find("status")->as_int()) << what << "\n" << told.answer.dump();
      const json::Value& recorded = *step.find("answer");
      if (recorded.as_string() != nullptr) continue;  // not Kubernetes' own
      EXPECT_EQ(
          difference(without_spec_of_bookmarks(recorded), without_managers(told.answer), kept), "")
          << what;
    }
  }
}

}  // namespace
}  // namespace models
