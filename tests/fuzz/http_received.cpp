// SPDX-License-Identifier: Apache-2.0
// Received requests: whatever a client sends, a request is read or rejected, equally in one piece
// and byte by byte, and no more than the limits allow is kept.
#include "fuzz/check.h"
#include "net/http_wire/request_parser.h"

#include <optional>

namespace {

using fuzz::check;
using net::http::Request;
using net::http::RequestParser;

constexpr RequestParser::Limits kLimits{4096, 1024};

// The result of the bytes: the complete requests, and the rejection.
struct Read {
  std::vector<Request> requests;
  std::optional<int> status;
};

Read read(std::string_view bytes, std::size_t piece) {
  RequestParser parser(kLimits);
  Read outcome;
  const auto take_all = [&] {
    while (!outcome.status && parser.complete()) {
      outcome.requests.push_back(parser.take());
      if (const auto more = parser.feed(""); !more.ok()) outcome.status = more.error().status();
    }
  };
  while (!bytes.empty() && !outcome.status) {
    const std::string_view next = bytes.substr(0, piece);
    bytes.remove_prefix(next.size());
    if (const auto fed = parser.feed(next); !fed.ok()) {
      fuzz::check_message(fed.error());
      check(fed.error().is(base::Kind::protocol), "what cannot be read is the peer's fault");
      outcome.status = fed.error().status();
    }
    take_all();
    check(parser.held() <= kLimits.header + kLimits.body + next.size() + piece,
          "memory is bounded");
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::Input(data, size).rest();
  const Read whole = read(bytes, std::max<std::size_t>(bytes.size(), 1));
  const Read pieces = read(bytes, 1);
  for (const Read* one : {&whole, &pieces}) {
    if (one->status) check(*one->status >= 400 && *one->status < 600, "a refusal has its status");
    for (const Request& request : one->requests) {
      check(request.body.size() <= kLimits.body, "no body above the limit");
      check(!request.method.empty(), "a request has a method");
    }
  }
  // Near a limit the same bytes may be rejected earlier in one piece: only what was read is
  // compared.
  const std::size_t both = std::min(whole.requests.size(), pieces.requests.size());
  for (std::size_t i = 0; i < both; ++i) {
    check(whole.requests[i].method == pieces.requests[i].method, "the same method");
    check(whole.requests[i].target == pieces.requests[i].target, "the same target");
    check(whole.requests[i].body == pieces.requests[i].body, "the same body");
  }
  return 0;
}
