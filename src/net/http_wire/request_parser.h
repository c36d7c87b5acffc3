// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace net::http::inline wire {

// Parses the HTTP/1.x requests of one connection, in sequence, from bytes that arrive in any
// pieces.
//
// Guarantees  keeps at most `Limits` of a request, plus the piece in which its end arrived. The end
//             of a request is never ambiguous: requests that two servers could read differently
//             (two lengths, an unknown Transfer-Encoding, no Host or two) are rejected. An error is
//             Kind::protocol with the status to answer: 400, 413, 417, 431, 501 or 505. After an
//             error nothing more can be parsed.
// Does not    read from a connection, wait or interpret requests.
class RequestParser {
 public:
  struct Limits {
    std::size_t header = 64UL << 10U;
    std::uint64_t body = 4ULL << 20U;
  };

  explicit RequestParser(Limits limits);
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;
  ~RequestParser();

  // Parses the next bytes. Bytes behind the end of this request are kept for the next one.
  base::Result<void> feed(std::string_view bytes);

  // Whether a byte of this request has arrived (empty lines before it do not count).
  bool started() const;
  bool header_complete() const;
  bool complete() const;

  // Number of bytes held for requests that were not taken yet.
  std::size_t held() const;

  // Valid once the header is complete. The client waits for "100 Continue" before it sends the
  // body: true until a byte of the body has arrived.
  bool expects_continue() const;
  bool keep_alive() const;
  bool is_http11() const;
  const std::string& method() const;

  // Returns the request, with its headers unchanged and its target as a path with its query.
  // Expects complete(). Then the next request begins; feed() with no bytes parses what has arrived
  // of it.
  Request take();

 private:
  class Incoming;

  base::Result<void> read_message(std::string_view& bytes);
  base::Result<void> check_header();

  Limits limits_;
  std::size_t header_bytes_ = 0;
  std::string pending_;  // bytes that were not used yet: part of a line, or the next request
  std::unique_ptr<Incoming> incoming_;
};

}  // namespace net::http::inline wire
