// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/request_parser.h"

#include "net/http/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace net::http::inline wire {
namespace {

using base::Kind;
using base::Result;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Seen {
  std::vector<std::string> requests;  // "METHOD target|body"
  int refused = 0;                    // the status
  std::string why;
  bool half_done = false;
};

// Feeds the pieces one by one and takes every request as soon as it is complete.
Seen read(const std::vector<std::string>& pieces, RequestParser::Limits limits = {}) {
  RequestParser parser(limits);
  Seen seen;
  for (const std::string& piece : pieces) {
    for (auto result = parser.feed(piece);; result = parser.feed({})) {
      if (!result.ok()) {
        EXPECT_EQ(result.error().kind(), Kind::protocol);
        seen.refused = result.error().status();
        seen.why = result.error().message();
        return seen;
      }
      if (!parser.complete()) break;
      const Request request = parser.take();
      seen.requests.push_back(request.method + " " + request.target + "|" + request.body);
    }
  }
  seen.half_done = parser.started();
  return seen;
}

std::vector<std::string> bytes_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

const std::string kHost = "Host: x\r\n";

struct Sample {
  std::string bytes;
  std::string request;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples = {
      {"GET / HTTP/1.1\r\n" + kHost + "\r\n", "GET /|"},
      {"GET /a?b=c%20d HTTP/1.1\r\nhost: x\r\nAccept: */*\r\n\r\n", "GET /a?b=c%20d|"},
      {"\r\n\r\nGET /after/empty/lines HTTP/1.1\r\n" + kHost + "\r\n", "GET /after/empty/lines|"},
      {"POST /p HTTP/1.1\r\n" + kHost + "Content-Length: 5\r\n\r\nhello", "POST /p|hello"},
      {"POST /p HTTP/1.1\r\n" + kHost + "Content-Length: 0\r\n\r\n", "POST /p|"},
      {"PUT /c HTTP/1.1\r\n" + kHost +
           "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;e=1\r\n, world\r\n0\r\n\r\n",
       "PUT /c|hello, world"},
      {"PUT /c HTTP/1.1\r\n" + kHost +
           "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n",
       "PUT /c|hi"},
      {"PUT /c HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "PUT /c|"},
      {"GET / HTTP/1.0\r\n\r\n", "GET /|"},
      {"GET http://proxied.example:80/path?q HTTP/1.1\r\n" + kHost + "\r\n", "GET /path?q|"},
      {"GET http://proxied.example HTTP/1.1\r\n" + kHost + "\r\n", "GET /|"},
      {"GET http://proxied.example?q HTTP/1.1\r\n" + kHost + "\r\n", "GET /?q|"},
      {"BREW /pot HTTP/1.1\r\n" + kHost + "\r\n", "BREW /pot|"},
  };
  return kSamples;
}

TEST(HttpRequestParser, ReadsRequestsCutAtAnyByte) {
  for (const Sample& sample : samples()) {
    EXPECT_THAT(read({sample.bytes}).requests, ElementsAre(sample.request));
    EXPECT_THAT(read(bytes_of(sample.bytes)).requests, ElementsAre(sample.request));
    for (std::size_t cut = 1; cut < sample.bytes.size(); ++cut) {
      const Seen seen = read({sample.bytes.substr(0, cut), sample.bytes.substr(cut)});
      ASSERT_THAT(seen.requests, ElementsAre(sample.request)) << cut << ": " << seen.why;
    }
  }
}

RC_GTEST_PROP(HttpRequestParserProperty, ReadsManyRequestsInAnyPieces, ()) {
  std::string all;
  std::vector<std::string> expected;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const Sample& sample = samples()[*rc::gen::inRange<std::size_t>(0, samples().size())];
    all += sample.bytes;
    expected.push_back(sample.request);
  }
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < all.size();) {
    const auto n = *rc::gen::element<std::size_t>(1, 2, 3, 7, 40, 400);
    pieces.push_back(all.substr(at, n));
    at += n;
  }
  const Seen seen = read(pieces);
  RC_ASSERT(seen.refused == 0);
  RC_ASSERT(seen.requests == expected);
  RC_ASSERT(!seen.half_done);
}

RC_GTEST_PROP(HttpRequestParserProperty, ReadsWhatTheClientEncodes, (std::string body)) {
  Request request(*rc::gen::element<std::string>("GET", "POST", "DELETE"),
                  "/" + *rc::gen::container<std::string>(rc::gen::inRange('!', '~')),
                  body);
  request.headers.emplace_back("X-Some", "value, with \"things\"");
  RequestParser parser({});
  RC_ASSERT(parser.feed(*encode(request, "host:1", "agent")).ok());
  RC_ASSERT(parser.complete());
  RC_ASSERT(parser.keep_alive());
  const Request got = parser.take();
  RC_ASSERT(got.method == request.method);
  RC_ASSERT(got.target == request.target);
  RC_ASSERT(got.body == request.body);
  RC_ASSERT(got.header("x-some") == request.header("X-Some"));
  RC_ASSERT(got.header("host") == std::string_view("host:1"));
  RC_ASSERT(!parser.started());
}

TEST(HttpRequestParser, MalformedRequestsAreRejectedWithTheirStatus) {
  struct Row {
    std::string bytes;
    int status;
  };
  const std::string post = "POST / HTTP/1.1\r\n" + kHost;
  const Row rows[] = {
      {"SSH-2.0-OpenSSH_9.2p1\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 505},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"GET / HTTP/1.1\nHost: x\n\n\r\n\r\n", 505},
      {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + kHost + kHost + "\r\n", 400},
      {"GET / HTTP/1.1\r\n" + kHost + ": x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
      {"GET relative HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"CONNECT there:443 HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {post + "Content-Length: -1\r\n\r\n", 400},
      {post + "Content-Length: 1x\r\n\r\n", 400},
      {post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400},
      {post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400},
      {post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc", 400},
      {post + "Transfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", 400},
      {post + "Transfer-Encoding: gzip\r\n\r\nabc", 501},
      {post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {post + "Transfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx", 501},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Expect: a-miracle\r\nContent-Length: 1\r\n\r\n", 417},
  };
  for (const Row& row : rows) {
    for (const auto& pieces : {std::vector<std::string>{row.bytes}, bytes_of(row.bytes)}) {
      const Seen seen = read(pieces);
      EXPECT_EQ(seen.refused, row.status) << row.bytes << seen.why;
      EXPECT_TRUE(seen.requests.empty()) << row.bytes;
    }
  }
}

TEST(HttpRequestParser, TheLimitsAreEnforced) {
  struct Row {
    std::string bytes;
    int status;
  };
  const std::string get = "GET / HTTP/1.1\r\n" + kHost;
  const std::string post = "POST / HTTP/1.1\r\n" + kHost;
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  std::string many_headers = get;
  for (int i = 0; i < 300; ++i) many_headers += "A: 0123456789\r\n";
  const Row rows[] = {
      {"GET /" + std::string(3000, 'x'), 431},
      {std::string(3000, 'X'), 431},
      {get + "A: " + std::string(3000, 'x'), 431},
      {get + "A: " + std::string(1000, 'x') + "\r\n\r\n", 431},
      {many_headers, 431},
      {chunked + "5;" + std::string(3000, 'x'), 431},
      {chunked + "0\r\nA: " + std::string(3000, 'x'), 431},
      {post + "Content-Length: 2049\r\n\r\n", 413},
      {post + "Content-Length: 18446744073709551615\r\n\r\n", 413},
      {post + "Content-Length: 2049\r\nExpect: 100-continue\r\n\r\n", 413},
      {chunked + "801\r\n" + std::string(3000, 'x'), 413},
      {chunked + "800\r\n" + std::string(2048, 'x') + "\r\n1\r\nx", 413},
      {chunked + "ffffffffffffffff\r\nx", 413},
  };
  for (const Row& row : rows) {
    for (const auto& pieces :
         {std::vector<std::string>{row.bytes}, lines_of(row.bytes), bytes_of(row.bytes)}) {
      const Seen seen = read(pieces, {1024, 2048});
      EXPECT_EQ(seen.refused, row.status) << row.bytes.substr(0, 80) << ": " << seen.why;
    }
  }
}

TEST(HttpRequestParser, ARequestOfExactlyTheLimitIsAccepted) {
  const std::string head = "GET / HTTP/1.1\r\n" + kHost + "A: ";
  const std::string request = head + std::string(1024 - head.size() - 4, 'x') + "\r\n\r\n";
  for (const auto& pieces : {std::vector<std::string>{request}, bytes_of(request)})
    EXPECT_EQ(read(pieces, {1024, 2048}).requests.size(), 1U);
  EXPECT_EQ(read({"x" + request}, {1024, 2048}).refused, 431);
  const std::string post = "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 2048\r\n\r\n";
  EXPECT_EQ(read({post + std::string(2048, 'x')}, {1024, 2048}).requests.size(), 1U);
}

TEST(HttpRequestParser, ReportsThatTheClientExpectsContinue) {
  RequestParser parser({});
  const std::string head = "POST / HTTP/1.1\r\n" + kHost + "Expect: 100-Continue\r\n";
  ASSERT_TRUE(parser.feed(head + "Content-Length: 2\r\n\r\n").ok());
  EXPECT_TRUE(parser.header_complete());
  EXPECT_TRUE(parser.expects_continue());
  ASSERT_TRUE(parser.feed("h").ok());
  EXPECT_FALSE(parser.expects_continue()) << "the client does not wait";
  ASSERT_TRUE(parser.feed("i" + head + "\r\n").ok());
  EXPECT_EQ(parser.take().body, "hi");
  ASSERT_TRUE(parser.feed({}).ok());
  EXPECT_TRUE(parser.complete());
  EXPECT_FALSE(parser.expects_continue()) << "without a body there is nothing to wait for";
}

TEST(HttpRequestParser, ReportsWhetherTheConnectionIsKept) {
  struct Row {
    std::string bytes;
    bool stays;
  };
  const Row rows[] = {
      {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n", false},
      {"GET / HTTP/1.0\r\n\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
  };
  for (const Row& row : rows) {
    RequestParser parser({});
    ASSERT_TRUE(parser.feed(row.bytes).ok());
    EXPECT_EQ(parser.keep_alive(), row.stays) << row.bytes;
    EXPECT_EQ(parser.is_http11(), row.bytes.contains("1.1")) << row.bytes;
  }
}

RC_GTEST_PROP(HttpRequestParserProperty, NoBytesCrash, (const std::vector<std::string>& pieces)) {
  RequestParser parser({1024, 2048});
  const std::string begin = *rc::gen::element<std::string>(
      "",
      "GET / HTTP/1.1\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n");
  if (!parser.feed(begin).ok()) return;
  for (const std::string& piece : pieces) {
    if (!parser.feed(piece).ok()) return;
    while (parser.complete()) {
      RC_ASSERT(parser.take().body.size() <= 2048U);
      if (!parser.feed({}).ok()) return;
    }
  }
}

// Requests that are damaged in a few places.
RC_GTEST_PROP(HttpRequestParserProperty, NoDamagedRequestCrashes, ()) {
  std::string bytes = samples()[*rc::gen::inRange<std::size_t>(0, samples().size())].bytes;
  const auto damages = *rc::gen::inRange(1, 5);
  for (int i = 0; i < damages; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const char c = *rc::gen::element('\r', '\n', ' ', ':', ';', '0', 'f', '"', '\0', '\x80');
    if (*rc::gen::arbitrary<bool>()) {
      bytes[at] = c;
    } else {
      bytes.insert(at, 1, c);
    }
  }
  (void)read({bytes}, {1024, 2048});
  (void)read(bytes_of(bytes), {1024, 2048});
}

}  // namespace
}  // namespace net::http::inline wire
