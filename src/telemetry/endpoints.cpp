// SPDX-License-Identifier: Apache-2.0
#include "telemetry/endpoints.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace telemetry {
namespace {

using net::http::Request;
using net::http::Response;

Response plain(int status, std::string body) {
  return {status,
          {{"Content-Type", "text/plain; charset=utf-8"},
           {"X-Content-Type-Options", "nosniff"},
           {"Cache-Control", "no-store"}},
          std::move(body)};
}

std::string_view path_of(const Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

// "verbose", "verbose=1", "a=b&verbose"
bool wants_details(std::string_view target) {
  const auto question = target.find('?');
  if (question == std::string_view::npos) return false;
  std::string_view rest = target.substr(question + 1);
  for (;;) {
    const auto end = rest.find('&');
    const std::string_view one = rest.substr(0, end);
    if (one.substr(0, one.find('=')) == "verbose") return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

std::optional<Response> refuse_other_methods(const Request& request) {
  if (request.method == "GET" || request.method == "HEAD") return std::nullopt;
  Response response = plain(405, "only GET and HEAD are allowed\n");
  response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

Response readiness(const Health& health, bool details) {
  std::string lines;
  bool ready = true;
  for (const Health::Outcome& one : health.readiness()) {
    ready = ready && one.result.ok();
    lines += one.result.ok()
                 ? fmt::format("[+]{} ok\n", one.name)
                 : fmt::format("[-]{} failed: {}\n", one.name, one.result.error().message());
  }
  for (const Health::Remarked& one : health.remarks())
    lines += fmt::format("[!]{}: {}\n", one.name, one.text);
  if (!ready) return plain(500, lines + "readyz check failed\n");
  return plain(200, details ? lines + "readyz check passed\n" : "ok");
}

Response alive(bool details) {
  return plain(200, details ? "[+]loop ok\nhealthz check passed\n" : "ok");
}

// A separate coroutine: the captures of a lambda would be destroyed before it continues.
net::Task<net::http::Answer> finished(Response response) {
  co_return net::http::Answer(std::move(response));
}

}  // namespace

Endpoint metrics_endpoint(const Metrics& metrics) {
  return [&metrics](const Request& request) -> std::optional<Response> {
    if (path_of(request) != "/metrics") return std::nullopt;
    if (auto refusal = refuse_other_methods(request)) return refusal;
    Response response = plain(200, metrics.text());
    response.headers.front().value = "text/plain; version=0.0.4; charset=utf-8";
    return response;
  };
}

Endpoint health_endpoint(const Health& health) {
  return [&health](const Request& request) -> std::optional<Response> {
    const std::string_view path = path_of(request);
    if (path != "/healthz" && path != "/readyz") return std::nullopt;
    if (auto refusal = refuse_other_methods(request)) return refusal;
    const bool details = wants_details(request.target);
    return path == "/healthz" ? alive(details) : readiness(health, details);
  };
}

net::http::Handler serve(std::vector<Endpoint> endpoints) {
  return [endpoints = std::move(endpoints)](const Request& request) {
    for (const Endpoint& endpoint : endpoints) {
      if (auto response = endpoint(request)) return finished(std::move(*response));
    }
    return finished(plain(404, "not found\n"));
  };
}

}  // namespace telemetry
