// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: an API server with a fixed set of objects, addressed by their paths.
#include "json/value.h"
#include "kube/client/client.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace bridge::testing {

struct Objects {
  explicit Objects(net::Loop& loop)
      : transport(loop, [this](const net::http::Request& request) { return answer(request); }) {}

  static net::http::Response refusal(int status) {
    return {status, {}, fmt::format(R"({{"kind":"Status","message":"status {}"}})", status)};
  }

  // Answers GET with the object and replaces it on PUT, unless the resourceVersion differs. A path
  // in `refusals` is answered with its status, any other path with 404.
  slurm::testing::ScriptedTransport::Reply answer(const net::http::Request& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (const auto code = refusals.find(path); code != refusals.end())
      return {refusal(code->second), latency};
    const auto found = bodies.find(path);
    if (found == bodies.end()) return {refusal(404), latency};
    if (request.method == "PUT") {
      if (version_in(request.body) != version_in(found->second)) return {refusal(409), latency};
      found->second = request.body;
    }
    return {net::http::Response(200, {}, found->second), latency};
  }

  static std::string version_in(const std::string& body) {
    const auto value = json::parse(body);
    const json::Value* metadata = value.ok() ? value->find("metadata") : nullptr;
    const json::Value* version = metadata ? metadata->find("resourceVersion") : nullptr;
    return version != nullptr && version->as_string() != nullptr ? *version->as_string() : "";
  }

  std::map<std::string, std::string> bodies;
  std::map<std::string, int> refusals;
  base::Duration latency = std::chrono::milliseconds(10);
  slurm::testing::ScriptedTransport transport;
  kube::Credentials nobody;
  kube::Client client{transport, nobody};
};

}  // namespace bridge::testing
