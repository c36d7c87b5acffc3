// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace net::http::inline wire {
namespace {

using base::Kind;
using base::Result;
using ::testing::HasSubstr;

struct Outcome {
  std::string body;
  Result<void> result;
  bool complete = false;
  bool reusable = false;
  int status = 0;
  std::size_t headers = 0;
};

// Feeds the pieces one by one; an empty piece is the end of the connection.
Outcome read(const std::vector<std::string>& pieces,
             std::string_view method = "GET",
             ResponseParser::Limits limits = {}) {
  ResponseParser parser(method, limits);
  Outcome outcome;
  for (const std::string& piece : pieces) {
    outcome.result = piece.empty() ? parser.end() : parser.feed(piece, outcome.body);
    if (!outcome.result.ok()) return outcome;
  }
  outcome.complete = parser.complete();
  outcome.reusable = parser.reusable();
  outcome.status = parser.status();
  outcome.headers = parser.headers().size();
  return outcome;
}

struct Sample {
  std::string name;
  std::string bytes;
  std::string body;
  bool ends_with_connection = false;
  bool reusable = true;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples = {
      {"counted", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\nhello", "hello"},
      {"counted, ends with CR", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\n\n\r", "\n\r"},
      {"empty", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nA: b\r\n\r\n", ""},
      {"chunked",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n"
       "5\r\nhello\r\n7;ext=1\r\n, world\r\n0\r\n\r\n",
       "hello, world"},
      {"chunked with trailers",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n"
       "A\r\n0123456789\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n",
       "0123456789"},
      {"chunked and empty",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n0\r\n\r\n",
       ""},
      {"chunked and empty with a trailer",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n0\r\nT: x\r\n\r\n",
       ""},
      {"no content", "HTTP/1.1 204 No Content\r\nB: c\r\nA: b\r\n\r\n", ""},
      {"not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nA: b\r\n\r\n", ""},
      {"after 100 and 103",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
       "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\nhi",
       "hi"},
      {"until the end", "HTTP/1.1 200 OK\r\nServer: x\r\nA: b\r\n\r\nhello", "hello", true, false},
      {"until the end, empty", "HTTP/1.1 200 OK\r\nServer: x\r\nA: b\r\n\r\n", "", true, false},
      {"connection close",
       "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
       "hi",
       false,
       false},
      {"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\nhi", "hi", false, false},
      {"HTTP/1.0 keep-alive",
       "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi",
       "hi"},
      {"no reason", "HTTP/1.1 200 \r\nContent-Length: 2\r\nA: b\r\n\r\nhi", "hi"},
  };
  return kSamples;
}

void expect_sample(const Sample& sample, std::vector<std::string> pieces) {
  if (sample.ends_with_connection) pieces.emplace_back();
  const Outcome got = read(pieces);
  ASSERT_TRUE(got.result.ok()) << sample.name << ": " << got.result.error().to_string();
  EXPECT_TRUE(got.complete) << sample.name;
  EXPECT_EQ(got.body, sample.body) << sample.name;
  EXPECT_EQ(got.reusable, sample.reusable) << sample.name;
  EXPECT_EQ(got.headers, 2U) << sample.name << ": trailers and interim headers do not count";
}

TEST(HttpParser, ReadsAnswersCutAtAnyByte) {
  for (const Sample& sample : samples()) {
    expect_sample(sample, {sample.bytes});
    for (std::size_t cut = 1; cut < sample.bytes.size(); ++cut)
      expect_sample(sample, {sample.bytes.substr(0, cut), sample.bytes.substr(cut)});
  }
}

TEST(HttpParser, ReadsAnswersByteByByte) {
  for (const Sample& sample : samples()) {
    std::vector<std::string> pieces;
    for (const char c : sample.bytes) pieces.emplace_back(1, c);
    expect_sample(sample, pieces);
  }
}

RC_GTEST_PROP(HttpParserProperty, ReadsAnswersInAnyPieces, ()) {
  const Sample& sample = samples()[*rc::gen::inRange<std::size_t>(0, samples().size())];
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < sample.bytes.size();) {
    const auto n = *rc::gen::inRange<std::size_t>(1, 9);
    pieces.push_back(sample.bytes.substr(at, n));
    at += n;
  }
  if (sample.ends_with_connection) pieces.emplace_back();
  const Outcome got = read(pieces);
  RC_ASSERT(got.result.ok());
  RC_ASSERT(got.complete);
  RC_ASSERT(got.body == sample.body);
}

TEST(HttpParser, AnEarlyEndOfACountedOrChunkedAnswerIsLost) {
  for (const Sample& sample : samples()) {
    if (sample.ends_with_connection) continue;
    for (std::size_t cut = 0; cut < sample.bytes.size(); ++cut) {
      std::vector<std::string> pieces = {""};
      if (cut > 0) pieces.insert(pieces.begin(), sample.bytes.substr(0, cut));
      const Outcome got = read(pieces);
      ASSERT_FALSE(got.result.ok()) << sample.name << " cut at " << cut;
      EXPECT_EQ(got.result.error().kind(), Kind::lost) << sample.name << " cut at " << cut;
    }
  }
}

TEST(HttpParser, AnAnswerToHeadHasNoBody) {
  const Outcome got = read({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}, "HEAD");
  EXPECT_TRUE(got.complete);
  EXPECT_TRUE(got.reusable);
}

TEST(HttpParser, BytesBehindTheAnswerMakeTheConnectionUnusable) {
  const Outcome got = read({"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 4"});
  EXPECT_TRUE(got.result.ok());
  EXPECT_EQ(got.body, "hi");
  EXPECT_FALSE(got.reusable);
}

TEST(HttpParser, WhatIsNotHttpIsAProtocolError) {
  const std::string rows[] = {
      "SSH-2.0-OpenSSH_9.2p1\r\n",
      "HTTP/2.0 200 OK\r\n\r\n",
      "HTTP/1.1 OK\r\n\r\n",
      "HTTP/1.1 200 OK\nA: b\n\n",
      "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n",
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  };
  for (const std::string& row : rows) {
    const Outcome got = read({row});
    ASSERT_FALSE(got.result.ok()) << row;
    EXPECT_EQ(got.result.error().kind(), Kind::protocol) << row;
  }
}

// For any split of the bytes: one piece, line by line, or byte by byte.
void expect_too_large(const std::string& bytes, std::string_view what) {
  const ResponseParser::Limits limits{1024, 2048};
  std::vector<std::string> lines(1);
  std::vector<std::string> single;
  for (const char c : bytes) {
    lines.back() += c;
    single.emplace_back(1, c);
    if (c == '\n') lines.emplace_back();
  }
  if (lines.back().empty()) lines.pop_back();
  for (const auto& pieces : {std::vector<std::string>{bytes}, lines, single}) {
    const Outcome got = read(pieces, "GET", limits);
    ASSERT_FALSE(got.result.ok()) << bytes.substr(0, 80);
    EXPECT_EQ(got.result.error().kind(), Kind::protocol);
    EXPECT_THAT(got.result.error().message(), HasSubstr(what));
  }
}

TEST(HttpParser, TheLimitsAreEnforced) {
  std::string many_headers = "HTTP/1.1 200 OK\r\n";
  std::string many_interims;
  for (int i = 0; i < 300; ++i) {
    many_headers += "A: 0123456789\r\n";
    many_interims += "HTTP/1.1 100 Continue\r\n\r\n";
  }
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect_too_large("HTTP/1.1 200 " + std::string(3000, 'x'), "header is larger than 1 KiB");
  expect_too_large("HTTP/1.1 200 OK\r\nA: " + std::string(3000, 'x'), "header");
  expect_too_large(many_headers, "header");
  expect_too_large(many_interims, "header");
  expect_too_large(chunked + "5;" + std::string(3000, 'x'), "header");
  expect_too_large(chunked + "0\r\nA: " + std::string(3000, 'x'), "header");
  expect_too_large("HTTP/1.1 200 OK\r\nContent-Length: 2049\r\n\r\n", "body is larger than 2 KiB");
  expect_too_large(chunked + "801\r\n" + std::string(3000, 'x'), "body");
  expect_too_large(chunked + "800\r\n" + std::string(2048, 'x') + "\r\n1\r\nx", "body");
  expect_too_large("HTTP/1.1 200 OK\r\n\r\n" + std::string(2049, 'x'), "body");
}

TEST(HttpParser, WithoutABodyLimitAStreamIsUnlimited) {
  ResponseParser parser("GET", {1024, std::nullopt});
  std::string body;
  ASSERT_TRUE(parser.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body).ok());
  for (int i = 0; i < 100; ++i) {
    body.clear();
    ASSERT_TRUE(parser.feed("400\r\n" + std::string(1024, 'x') + "\r\n", body).ok());
    EXPECT_EQ(body.size(), 1024U);
  }
  EXPECT_FALSE(parser.complete());
}

RC_GTEST_PROP(HttpParserProperty, NoBytesCrash, (const std::vector<std::string>& pieces)) {
  ResponseParser parser("GET", {1024, 2048});
  std::string body;
  const std::string begin = *rc::gen::element<std::string>(
      "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  if (!parser.feed(begin, body).ok()) return;
  for (const std::string& piece : pieces) {
    if (!parser.feed(piece, body).ok()) return;
    RC_ASSERT(body.size() <= 2048U);
  }
  RC_ASSERT(!parser.end().ok() || parser.complete());
}

}  // namespace
}  // namespace net::http::inline wire
