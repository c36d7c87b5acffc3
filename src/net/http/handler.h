// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace net::http {

// Where a streamed answer goes.
class BodyWriter {
 public:
  BodyWriter() = default;
  BodyWriter(const BodyWriter&) = delete;
  BodyWriter& operator=(const BodyWriter&) = delete;
  virtual ~BodyWriter() = default;

  // Sends a piece and waits while the client is slow. Kind::lost: the client is gone or does not
  // read; Kind::cancelled: the stream is to end.
  virtual Task<base::Result<void>> write(std::string_view piece) = 0;
};

// Writes the body of an answer piece by piece. It is cancelled when the client goes or the server
// stops. ok() at its end tells the client that the body is complete, also after a cancellation;
// with an error the connection just breaks off.
using StreamBody = std::function<Task<base::Result<void>>(BodyWriter&)>;

// What a handler answers: everything at once, or a beginning and a stream.
struct Answer {
  Answer(Response whole) : response(std::move(whole)) {}  // NOLINT: converts on purpose
  Answer(int status, std::vector<Header> headers, StreamBody body)
      : response(status, std::move(headers), {}), stream(std::move(body)) {}

  Response response;  // its body is not looked at if there is a stream
  StreamBody stream;
};

// Answers one request of a server. Called for requests of many connections at a time, and for each
// connection one after the other. Headers without Content-Length, Connection, Transfer-Encoding and
// Date: those are the server's. To HEAD it answers as to GET; the server leaves the body out.
using Handler = std::function<Task<Answer>(Request)>;

}  // namespace net::http
