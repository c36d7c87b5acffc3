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

// Reads the HTTP/1.x requests of one connection, one after the other, from bytes that arrive in any
// pieces.
//
// Guarantees  at most `Limits` of a request is ever kept, plus the one piece in which its end came;
//             where a request ends is never in doubt: what two servers could read differently
//             (two lengths, an unknown Transfer-Encoding, no or two Hosts) is refused.
//             An error is Kind::protocol and has the status to answer with: 400, 413, 417, 431, 501
//             or 505. After it nothing more can be read.
// Does not    read from anywhere, wait or know what the requests are for.
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

  // Takes the next bytes. What lies behind the end of this request is kept for the next one.
  base::Result<void> feed(std::string_view bytes);

  // Something of this request has come (empty lines before it do not count).
  bool started() const;
  bool header_complete() const;
  bool complete() const;

  // How many bytes it keeps for requests that were not taken yet.
  std::size_t held() const;

  // Once the header is complete. The client waits for a word before it sends the body: true until
  // something of the body has come.
  bool expects_continue() const;
  bool keep_alive() const;
  bool is_http11() const;
  const std::string& method() const;

  // The request, with its headers as they came and its target as a path with its query. Expects
  // complete(). Then the next request begins; feed() with nothing looks at what has come of it.
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
