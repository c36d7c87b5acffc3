// SPDX-License-Identifier: Apache-2.0
// Requests that we send: one request, whatever its parts contain. Received requests are in
// http_received.cpp.
#include "fuzz/check.h"
#include "net/http/request.h"

namespace {

using fuzz::check;
using net::http::Request;

std::size_t lines_of(std::string_view head) {
  return static_cast<std::size_t>(std::ranges::count(head, '\n'));
}

// Method, target, header names and values, each on a line of its own text, then the body.
Request request_of(const std::vector<std::string_view>& parts) {
  Request request(std::string(parts[0]), parts.size() > 1 ? std::string(parts[1]) : "/");
  for (std::size_t i = 2; i + 2 < parts.size(); i += 2) {
    request.headers.emplace_back(std::string(parts[i]), std::string(parts[i + 1]));
  }
  if (parts.size() > 2) request.body = parts.back();
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Parts are split at the unit separator, so that line breaks occur in every part.
  const Request request = request_of(fuzz::parts(fuzz::Input(data, size).rest(), '\x1f'));
  const auto bytes = encode(request, "host:1", "agent/1");
  if (!bytes.ok()) {
    fuzz::check_message(bytes.error());
    check(bytes.error().is(base::Kind::invalid), "only what cannot be sent is refused");
    return 0;
  }
  const std::size_t end = bytes->find("\r\n\r\n");
  check(end != std::string::npos, "the head ends");
  const std::string_view head = std::string_view(*bytes).substr(0, end + 2);
  check(bytes->substr(end + 4) == request.body, "the body follows as it is");
  const bool has_length = head.find("\r\nContent-Length: ") != std::string_view::npos;
  check(has_length || request.body.empty(), "a body has its length announced");
  check(lines_of(head) == 3 + request.headers.size() + (has_length ? 1 : 0), "no line of its own");
  check(head.find('\0') == std::string_view::npos, "no byte that ends a text elsewhere");
  return 0;
}
