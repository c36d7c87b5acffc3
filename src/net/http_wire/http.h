// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/task.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP as the clients of Kubernetes and Slurm see it. Nothing here knows a socket: the simulation
// implements Transport directly.
namespace net::http::inline wire {

struct Header {
  Header(std::string header_name, std::string header_value)
      : name(std::move(header_name)), value(std::move(header_value)) {}

  std::string name;
  std::string value;
};

// Header names are compared without regard to case.
bool is_same_name(std::string_view a, std::string_view b);

// What a method or a header's name consists of (RFC 9110 5.6.2), and what its value may hold: no
// line break or other control character.
bool is_token(std::string_view text);
bool is_field_value(std::string_view text);

// The first header of that name.
std::optional<std::string_view> find_header(const std::vector<Header>& headers,
                                            std::string_view name);

struct Request {
  Request(std::string request_method, std::string request_target, std::string request_body = {});

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  std::string method;
  std::string target;  // path and query, encoded
  // Without Host, Content-Length, User-Agent, Connection, Transfer-Encoding: those are the
  // transport's.
  std::vector<Header> headers;
  std::string body;
  // May be sent again after a connection broke without an answer, although the first one may have
  // arrived. By default true for GET, HEAD, PUT and DELETE.
  bool repeatable;
};

struct Response {
  Response(int response_status, std::vector<Header> response_headers, std::string response_body)
      : status(response_status),
        headers(std::move(response_headers)),
        body(std::move(response_body)) {}

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  int status;
  std::vector<Header> headers;
  std::string body;
};

// A body that is read while it arrives. Destroying it before its end gives its connection up.
class Body {
 public:
  Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  virtual ~Body() = default;

  // Waits for more, appends it and returns how many bytes that were; 0 when the body is complete.
  // Kind::lost: it broke off, or nothing came by the deadline; Kind::protocol: it makes no sense.
  // What came before an error is appended too; after it every further read fails the same way.
  virtual Task<base::Result<std::size_t>> read(std::string& append_to, base::Instant deadline) = 0;
};

struct StreamingResponse {
  StreamingResponse(int response_status,
                    std::vector<Header> response_headers,
                    std::unique_ptr<Body> response_body)
      : status(response_status),
        headers(std::move(response_headers)),
        body(std::move(response_body)) {}

  std::optional<std::string_view> header(std::string_view name) const {
    return find_header(headers, name);
  }

  int status;
  std::vector<Header> headers;
  std::unique_ptr<Body> body;
};

// Sends a request to one origin and returns the answer. A status is never an error here, whatever
// its number.
//
// Errors      unreachable  no connection by the deadline: nothing was sent, certainly no effect
//             lost         sent at least in part, but no complete answer: possibly an effect
//             protocol     the answer is not HTTP, or is too large: possibly an effect
//             cancelled    the task was cancelled: possibly an effect
//             invalid      the request cannot be sent (a line break in a header, ...): no effect
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  // The whole answer by the deadline.
  virtual Task<base::Result<Response>> send(Request request, base::Instant deadline) = 0;
  // Status and headers by the deadline; the body as it comes (watches, logs).
  virtual Task<base::Result<StreamingResponse>> open(Request request, base::Instant deadline) = 0;
};

}  // namespace net::http::inline wire
