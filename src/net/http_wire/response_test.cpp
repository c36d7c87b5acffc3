// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/response.h"

#include "net/http_wire/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace net::http::inline wire {
namespace {

using base::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

const base::WallTime kSomeday(std::chrono::seconds(784'111'777));

TEST(HttpResponse, ContainsTheFieldsThatTheServerSets) {
  const Framing framing{Framing::Body::counted, 5, true, kSomeday};
  EXPECT_EQ(*encode_header(404, {{"Content-Type", "text/plain"}}, framing),
            "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Content-Type: text/plain\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n");
}

TEST(HttpResponse, AStatusWithoutABodyAnnouncesNone) {
  for (const int status : {204, 304}) {
    const auto header = encode_header(status, {}, {Framing::Body::counted, 0, true, kSomeday});
    EXPECT_THAT(*header, Not(HasSubstr("Content-Length")));
    EXPECT_FALSE(may_have_body(status));
  }
}

TEST(HttpResponse, AFieldCannotBeginANewLine) {
  const Framing framing{Framing::Body::counted, 0, true, kSomeday};
  for (const Header& header : {Header("A", "b\r\nC: d"),
                               Header("A b", "c"),
                               Header("", "c"),
                               Header("A\r\nB", "c"),
                               Header("content-length", "7"),
                               Header("Transfer-Encoding", "chunked"),
                               Header("Connection", "upgrade")}) {
    const auto encoded = encode_header(200, {header}, framing);
    ASSERT_FALSE(encoded.ok()) << header.name;
    EXPECT_EQ(encoded.error().kind(), Kind::invalid);
  }
  for (const int status : {0, 100, 101, 199, 600, -1})
    EXPECT_FALSE(encode_header(status, {}, framing).ok()) << status;
  EXPECT_TRUE(encode_header(299, {}, framing).ok()) << "a status without a name is valid";
}

RC_GTEST_PROP(HttpResponseProperty, TheClientReadsWhatTheServerWrites, ()) {
  const int status = *rc::gen::element(200, 201, 299, 404, 500);
  const auto pieces = *rc::gen::arbitrary<std::vector<std::string>>();
  const bool chunked = *rc::gen::arbitrary<bool>();
  std::string whole;
  std::string body;
  for (const std::string& piece : pieces) {
    whole += piece;
    if (!piece.empty()) body += chunked ? chunk(piece) : piece;
  }
  if (chunked) body += kLastChunk;
  const Framing framing{
      chunked ? Framing::Body::chunked : Framing::Body::counted, whole.size(), true, kSomeday};
  ResponseParser parser("GET", {});
  std::string got;
  RC_ASSERT(parser.feed(*encode_header(status, {{"A", "b"}}, framing) + body, got).ok());
  RC_ASSERT(parser.complete());
  RC_ASSERT(parser.reusable());
  RC_ASSERT(parser.status() == status);
  RC_ASSERT(got == whole);
}

}  // namespace
}  // namespace net::http::inline wire
