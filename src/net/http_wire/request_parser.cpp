// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/request_parser.h"

#include "net/http_wire/message.h"

#include <boost/beast/http/error.hpp>
#include <fmt/format.h>

#include <utility>

namespace net::http::inline wire {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using ErrorCode = boost::system::error_code;
namespace beast_http = boost::beast::http;

Error refused(int status, std::string why) {
  return Error(Kind::protocol, std::move(why)).with_status(status);
}

Error header_too_large(std::size_t limit) {
  return refused(431, fmt::format("the request's header is larger than {} bytes", limit));
}

Error from(const ErrorCode& problem, const RequestParser::Limits& limits) {
  if (problem == beast_http::error::header_limit) return header_too_large(limits.header);
  if (problem == beast_http::error::body_limit)
    return refused(413, fmt::format("the request's body is larger than {} bytes", limits.body));
  if (problem == beast_http::error::bad_version)
    return refused(505, "the request is not HTTP/1.1 or HTTP/1.0");
  return refused(400, fmt::format("the request is not valid HTTP: {}", problem.message()));
}

// The form "http://host/path" is for proxies, but every server has to accept it (RFC 9112 3.2.2).
std::string_view without_origin(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!is_same_name(target.substr(0, scheme.size()), scheme)) continue;
    const auto path = target.find_first_of("/?", scheme.size());
    return path == std::string_view::npos ? "/" : target.substr(path);
  }
  return target;
}

}  // namespace

class RequestParser::Incoming {
 public:
  explicit Incoming(const Limits& limits) : message(limits.header, limits.body) {
    message.eager(false);  // so that put() ends at the end of the header, and its size is known
    message.set_body(&body);
  }

  Message<true> message;
  std::string body;
  bool expects_continue = false;
};

RequestParser::RequestParser(Limits limits)
    : limits_(limits), incoming_(std::make_unique<Incoming>(limits)) {}

RequestParser::~RequestParser() = default;

Result<void> RequestParser::feed(std::string_view bytes) {
  pending_ += bytes;
  std::string_view rest = pending_;
  auto result = read_message(rest);
  pending_.erase(0, pending_.size() - rest.size());
  if (!result.ok()) return result;
  const std::size_t counted = header_complete() ? 0 : header_bytes_;
  if (!complete() && counted + pending_.size() > limits_.header)  // a chunk line, or trailers
    return header_too_large(limits_.header);
  return {};
}

Result<void> RequestParser::read_message(std::string_view& bytes) {
  Message<true>& message = incoming_->message;
  if (!message.got_some()) {  // RFC 9112 2.2: accept empty lines before a request
    while (bytes.starts_with("\r\n")) bytes.remove_prefix(2);
    if (bytes == "\r") return {};
  }
  while (!bytes.empty() && !complete() && !message.must_wait(bytes)) {
    ErrorCode problem;
    const bool in_header = !header_complete();
    const std::size_t used = message.put(asio::buffer(bytes.data(), bytes.size()), problem);
    bytes.remove_prefix(used);
    if (in_header) header_bytes_ += used;
    if (header_bytes_ > limits_.header) return header_too_large(limits_.header);
    if (problem && problem != beast_http::error::need_more) return from(problem, limits_);
    if (in_header && header_complete()) TRY_VOID(check_header());
    if (used == 0 || problem) break;
  }
  return {};
}

// Checks for malformed or ambiguous requests that Beast accepts.
Result<void> RequestParser::check_header() {
  Message<true>& message = incoming_->message;
  std::size_t hosts = 0;
  for (const Header& header : message.headers()) {
    if (is_same_name(header.name, "Host")) ++hosts;
    if (is_same_name(header.name, "Transfer-Encoding")) {
      if (!is_same_name(header.value, "chunked"))
        return refused(501, "only chunked is known as a Transfer-Encoding");
      if (!is_http11()) return refused(400, "HTTP/1.0 has no Transfer-Encoding");
    }
    if (is_same_name(header.name, "Expect")) {
      if (!is_same_name(header.value, "100-continue"))
        return refused(417, "only 100-continue can be expected");
      incoming_->expects_continue = is_http11() && !message.is_done();
    }
  }
  if (hosts > 1 || (hosts == 0 && is_http11()))
    return refused(400, "a request needs exactly one Host header");
  message.target() = std::string(without_origin(message.target()));
  if (message.target().starts_with('?')) message.target().insert(0, "/");
  if (!message.target().starts_with('/')) return refused(400, "the request's target is not a path");
  return {};
}

bool RequestParser::started() const {
  return incoming_->message.got_some() || !pending_.empty();
}

bool RequestParser::header_complete() const {
  return incoming_->message.is_header_done();
}

bool RequestParser::complete() const {
  return incoming_->message.is_done();
}

std::size_t RequestParser::held() const {
  return pending_.size() + incoming_->body.size();
}

bool RequestParser::expects_continue() const {
  return incoming_->expects_continue && incoming_->body.empty() && pending_.empty();
}

bool RequestParser::keep_alive() const {
  return incoming_->message.keep_alive();
}

bool RequestParser::is_http11() const {
  return incoming_->message.version() == 11;
}

const std::string& RequestParser::method() const {
  return incoming_->message.method();
}

Request RequestParser::take() {
  Message<true>& message = incoming_->message;
  Request request(
      std::move(message.method()), std::move(message.target()), std::move(incoming_->body));
  request.headers = std::move(message.headers());
  incoming_ = std::make_unique<Incoming>(limits_);
  header_bytes_ = 0;
  return request;
}

}  // namespace net::http::inline wire
