// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/endpoints.h"

#include <string_view>
#include <utility>

namespace slurmop::agent {
namespace {

using net::http::Request;
using net::http::Response;

Response response(int status, std::string type, std::string body) {
  return {status,
          {{"Content-Type", std::move(type)},
           {"X-Content-Type-Options", "nosniff"},
           {"Cache-Control", "no-store"}},
          std::move(body)};
}

Response plain(int status, std::string body) {
  return response(status, "text/plain; charset=utf-8", std::move(body));
}

// A separate coroutine: the captures of a lambda would be destroyed before it continues.
net::Task<net::http::Answer> finished(Response response) {
  co_return net::http::Answer(std::move(response));
}

}  // namespace

Response answer(const Request& request, const Shown& shown) {
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  if (path != "/healthz" && path != "/status") return plain(404, "not found\n");
  if (request.method != "GET" && request.method != "HEAD") {
    Response refusal = plain(405, "only GET and HEAD are allowed\n");
    refusal.headers.emplace_back("Allow", "GET, HEAD");
    return refusal;
  }
  if (path == "/status") return response(200, "application/json", encode(shown.report()) + "\n");
  const std::string missing = shown.missing();
  return missing.empty() ? plain(200, "ok\n") : plain(503, missing + "\n");
}

net::http::Handler handler(Shown shown) {
  return [shown = std::move(shown)](const Request& request) {
    return finished(answer(request, shown));
  };
}

}  // namespace slurmop::agent
