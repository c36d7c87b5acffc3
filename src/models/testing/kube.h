// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/json.h"
#include "models/kube/server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace models::testing {

inline constexpr std::string_view kMerge = "application/merge-patch+json";
inline constexpr std::string_view kJson = "application/json-patch+json";
inline constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";
inline const std::string kPods = "/api/v1/namespaces/default/pods";

struct Answer {
  int status;
  json::Value body;

  std::string_view text(kube::Way way) const { return kube::text_at(body, way); }
};

// A server with its own clock, and short methods for requests.
struct TestServer {
  base::VirtualClock clock;
  kube::KubeServer server{clock};

  Answer send(std::string method,
              std::string target,
              std::string body = {},
              std::string_view type = "application/json") {
    net::http::Request request(std::move(method), std::move(target), std::move(body));
    request.headers.emplace_back("Content-Type", std::string(type));
    const net::http::Response response = server.handle(request);
    auto parsed = json::parse(response.body);
    EXPECT_TRUE(parsed.ok()) << response.body;
    return {response.status, parsed.ok() ? *std::move(parsed) : json::Value()};
  }
  Answer get(std::string target) { return send("GET", std::move(target)); }
  Answer patch(const std::string& pod, std::string body, std::string_view type = kMerge) {
    return send("PATCH", kPods + "/" + pod, std::move(body), type);
  }
  Answer create_pod(std::string_view name, std::string_view metadata = "") {
    return send("POST",
                kPods,
                fmt::format(R"({{"metadata":{{"name":"{}"{}}},"spec":{{"containers":)"
                            R"([{{"name":"c","image":"i:1"}}]}}}})",
                            name,
                            metadata));
  }
  Answer bind(std::string_view name, std::string_view node = "k001") {
    return send(
        "POST",
        fmt::format("{}/{}/binding", kPods, name),
        fmt::format(R"({{"metadata":{{"name":"{}"}},"target":{{"name":"{}"}}}})", name, node));
  }
  kube::WatchCursor watch(const std::string& target) {
    auto opened = server.open_watch({"GET", target});
    const auto* cursor = std::get_if<kube::WatchCursor>(&opened);
    EXPECT_NE(cursor, nullptr) << target;
    return cursor == nullptr ? kube::WatchCursor() : *cursor;
  }
};

}  // namespace models::testing
