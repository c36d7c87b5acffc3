// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace net::http::inline wire {

// Parses one HTTP/1.x answer from bytes that arrive in any pieces. Interim answers (100 Continue,
// 103) are skipped.
//
// Guarantees  never keeps or accepts more of an answer than `Limits`; passes on a body as soon as
//             it arrives.
// Does not    read from a connection or decode the body (Content-Encoding is left to the caller).
class ResponseParser {
 public:
  struct Limits {
    std::size_t header = 64UL << 10U;
    std::optional<std::uint64_t> body = 256ULL << 20U;  // empty: unlimited
  };

  // An answer to HEAD has the header of a body but no body.
  ResponseParser(std::string_view request_method, Limits limits);
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;
  ~ResponseParser();

  // Parses the next bytes and appends their part of the body to `body`. Kind::protocol if they are
  // malformed or exceed a limit.
  base::Result<void> feed(std::string_view bytes, std::string& body);
  // The connection ended: ok if this body ends that way, else Kind::lost.
  base::Result<void> end();

  bool header_complete() const;
  bool complete() const;
  // Whether the connection can carry another request: only after a complete answer with nothing
  // behind it, and if neither side wants to close.
  bool reusable() const;

  // Valid once the header is complete.
  int status() const;
  std::vector<Header>& headers();

 private:
  class Answer;

  base::Result<void> parse(std::string_view bytes, std::string& body);

  bool head_;
  Limits limits_;
  std::size_t header_bytes_ = 0;
  bool too_much_ = false;  // bytes arrived after the end
  std::string pending_;    // bytes that could not be parsed yet: part of a line
  std::unique_ptr<Answer> answer_;
};

}  // namespace net::http::inline wire
