// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace net::http {

// The destination of a streamed answer.
class BodyWriter {
 public:
  BodyWriter() = default;
  BodyWriter(const BodyWriter&) = delete;
  BodyWriter& operator=(const BodyWriter&) = delete;
  virtual ~BodyWriter() = default;

  // Sends a part and waits while the client is slow. Kind::lost: the client is gone or does not
  // read; Kind::cancelled: the stream has to end.
  virtual Task<base::Result<void>> write(std::string_view piece) = 0;
};

// Writes the body of an answer in parts. It is cancelled when the client disconnects or the server
// stops. If it returns ok(), even after a cancellation, the client receives a complete body; if it
// returns an error, the connection is closed.
using StreamBody = std::function<Task<base::Result<void>>(BodyWriter&)>;

// The answer of a handler: a complete response, or a header and a stream.
struct Answer {
  Answer(Response whole) : response(std::move(whole)) {}  // NOLINT: converts on purpose
  Answer(int status, std::vector<Header> headers, StreamBody body)
      : response(status, std::move(headers), {}), stream(std::move(body)) {}

  Response response;  // its body is ignored if there is a stream
  StreamBody stream;
};

// Answers one request of a server. Called concurrently for several connections, and sequentially
// for each connection. Must not set Content-Length, Connection, Transfer-Encoding and Date: the
// server does. HEAD is answered like GET; the server omits the body.
using Handler = std::function<Task<Answer>(Request)>;

}  // namespace net::http
