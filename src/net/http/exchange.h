// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/parser.h"
#include "net/transport/stream.h"

#include <memory>
#include <string>
#include <string_view>

namespace net::http {

// One request and its answer on one connection.
//
// Guarantees  errors are lost, protocol or cancelled, as defined by Transport.
// Does not    use deadlines or manage the connection.
class Exchange {
 public:
  Exchange(std::unique_ptr<Stream> stream, std::string_view method, ResponseParser::Limits limits);

  // Sends the request and reads until the header of the answer is complete; the part of the body
  // that has arrived by then is appended.
  Task<base::Result<void>> begin(const std::string& request, std::string& body);
  // Reads the next part of the answer.
  Task<base::Result<void>> read_more(std::string& body);

  // Whether a byte of an answer has arrived.
  bool answer_begun() const { return answer_begun_; }
  ResponseParser& answer() { return parser_; }
  Stream& stream() { return *stream_; }
  // Returns the connection for the next request, null if it cannot be reused.
  std::unique_ptr<Stream> finish();

 private:
  std::unique_ptr<Stream> stream_;
  ResponseParser parser_;
  bool answer_begun_ = false;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace net::http
