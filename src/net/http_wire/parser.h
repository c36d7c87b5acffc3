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

// Reads one HTTP/1.x answer from bytes that arrive in any pieces. Interim answers (100 Continue,
// 103) are skipped.
//
// Guarantees  at most `Limits` of an answer is ever kept or accepted, however it is sent; a body is
//             handed on as soon as it arrives.
// Does not    read from anywhere or change the body (Content-Encoding is the caller's affair).
class ResponseParser {
 public:
  struct Limits {
    std::size_t header = 64UL << 10U;
    std::optional<std::uint64_t> body = 256ULL << 20U;  // none: as much as comes
  };

  // An answer to HEAD has the header of a body but no body.
  ResponseParser(std::string_view request_method, Limits limits);
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;
  ~ResponseParser();

  // Takes the next bytes and appends to `body` what they hold of it. Kind::protocol if they make no
  // sense or are too many.
  base::Result<void> feed(std::string_view bytes, std::string& body);
  // The connection ended: complete if that is how this body ends, else Kind::lost.
  base::Result<void> end();

  bool header_complete() const;
  bool complete() const;
  // Whether the connection can carry another request: only after an answer that was complete, with
  // nothing behind it, and if neither side wants to close.
  bool reusable() const;

  // Once the header is complete.
  int status() const;
  std::vector<Header>& headers();

 private:
  class Answer;

  base::Result<void> parse(std::string_view bytes, std::string& body);

  bool head_;
  Limits limits_;
  std::size_t header_bytes_ = 0;
  bool too_much_ = false;  // bytes came after the end
  std::string pending_;    // bytes that the message could not use yet: part of a line
  std::unique_ptr<Answer> answer_;
};

}  // namespace net::http::inline wire
