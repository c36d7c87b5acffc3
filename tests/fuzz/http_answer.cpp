// SPDX-License-Identifier: Apache-2.0
// The client's parser: an answer is the same in one piece and in any pieces.
#include "fuzz/check.h"
#include "net/http_wire/parser.h"

#include <optional>

namespace {

using fuzz::check;
using net::http::ResponseParser;

struct Way {
  std::string_view method;
  ResponseParser::Limits limits;
  // Near a limit the result depends on the pieces: Beast counts the first line separately if it
  // arrives together with the rest.
  bool limits_within_reach;
};
const Way kWays[] = {{"GET", {}, false},
                     {"HEAD", {}, false},
                     {"GET", {256, 64}, true},
                     {"GET", {1024, std::nullopt}, true}};

struct Outcome {
  std::optional<base::Kind> failed;
  bool complete = false;
  bool reusable = false;
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(const Way& way, const std::vector<std::string_view>& pieces) {
  ResponseParser parser(way.method, way.limits);
  Outcome outcome;
  for (const std::string_view piece : pieces) {
    if (const auto fed = parser.feed(piece, outcome.body); !fed.ok()) {
      fuzz::check_message(fed.error());
      outcome.failed = fed.error().kind();
      break;
    }
  }
  if (way.limits.body) check(outcome.body.size() <= *way.limits.body, "the body has its limit");
  if (!outcome.failed) {
    if (const auto ended = parser.end(); !ended.ok()) outcome.failed = ended.error().kind();
  }
  outcome.complete = parser.complete();
  outcome.reusable = parser.reusable();
  if (!parser.header_complete()) return outcome;
  outcome.status = parser.status();
  std::size_t kept = 0;
  for (const net::http::Header& header : parser.headers()) {
    outcome.headers.emplace_back(header.name, header.value);
    kept += header.name.size() + header.value.size();
  }
  check(kept <= way.limits.header, "the header has its limit");
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const Way& way = input.one_of(kWays);
  const std::uint8_t seed = input.byte();
  const Outcome whole = read(way, {input.rest()});
  const Outcome cut = read(way, fuzz::pieces(input.rest(), seed, 1U + seed % 40U));
  const Outcome bytes = read(way, fuzz::pieces(input.rest(), 0, 1));
  if (way.limits_within_reach) return 0;
  for (const Outcome& other : {cut, bytes}) {
    // Which of the two failures occurs may differ: Beast sees less of a malformed line in pieces.
    // Both have the same meaning for a caller: the request may have taken effect.
    check(whole.failed.has_value() == other.failed.has_value(), "pieces fail if the whole does");
    if (!whole.failed) check(whole == other, "pieces make the same answer as the whole");
  }
  return 0;
}
