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
// Guarantees  errors are lost, protocol or cancelled, as Transport says.
// Does not    know deadlines, nor who else wants the connection.
class Exchange {
 public:
  Exchange(std::unique_ptr<Stream> stream, std::string_view method, ResponseParser::Limits limits);

  // Hands the request over and reads until the answer's header is complete; what came of the body
  // by then is appended.
  Task<base::Result<void>> begin(const std::string& request, std::string& body);
  // Reads one more piece of the answer.
  Task<base::Result<void>> read_more(std::string& body);

  // A byte of an answer has come.
  bool heard() const { return heard_; }
  ResponseParser& answer() { return parser_; }
  Stream& stream() { return *stream_; }
  // The connection for the next request, null if it cannot carry one.
  std::unique_ptr<Stream> finish();

 private:
  std::unique_ptr<Stream> stream_;
  ResponseParser parser_;
  bool heard_ = false;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace net::http
