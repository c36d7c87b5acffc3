// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/http_wire/http.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace net::http::inline wire {

// How the end of the body is marked, and whether the connection is kept.
struct Framing {
  enum class Body { counted, chunked, until_close };

  Body body = Body::counted;
  std::uint64_t length = 0;  // if counted
  bool keep_alive = false;
  base::WallTime date;
};

// Returns the header of an answer, including the fields that the server sets.
//
// Guarantees  exactly one header for any input: Kind::invalid for a status that is not final, and
//             for a field that could begin a new line or that only the server sets. No length is
//             announced if the status allows no body (204, 304).
base::Result<std::string> encode_header(int status,
                                        const std::vector<Header>& headers,
                                        const Framing& framing);

// Whether an answer of this status may have a body.
bool may_have_body(int status);

// "Not Found"; empty for a status without a name.
std::string_view reason(int status);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(base::WallTime when);

// Returns one chunk of a chunked body. Expects a non-empty text: an empty chunk would be the end.
std::string chunk(std::string_view piece);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace net::http::inline wire
