// SPDX-License-Identifier: Apache-2.0
#include "net/http/server.h"

#include "net/http/client.h"
#include "net/testing/http.h"
#include "net/testing/loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace net {
namespace {

using base::Instant;
using base::Kind;
using base::Result;
using http::Answer;
using http::BodyWriter;
using http::Request;
using http::Response;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MemoryConnector;
using ::testing::Not;
using testing::RawClient;
using ::testing::StartsWith;
using testing::VirtualWorld;
using namespace std::chrono_literals;

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// A server on virtual time, and clients that send exactly what a test defines.
class HttpServerTest : public ::testing::Test {
 protected:
  void TearDown() override {
    if (server) world.run(server->stop(world.loop.now()));
    server.reset();
  }

  void start(HttpServerLimits limits = {}) {
    server = std::make_unique<HttpServer>(
        world.loop, [this](Request request) { return handle(std::move(request)); }, limits, log);
  }

  // "/slow" takes 5 s, "/stream" continues until it is ended, everything else is echoed.
  Task<Answer> handle(Request request) {
    requests.push_back(request.method + " " + request.target);
    if (request.target == "/slow") {
      if (!(co_await world.loop.sleep_for(5s)).ok()) ended.emplace_back("slow: cancelled");
      co_return Response(200, {}, "slow");
    }
    if (request.target == "/bad") co_return Response(200, {{"A", "b\r\nC: d"}}, "");
    if (request.target == "/empty") co_return Response(204, {}, "");
    if (request.target == "/large") co_return Response(200, {}, std::string(1'000'000, 'x'));
    if (request.target == "/stream")
      co_return Answer(200, {{"Content-Type", "application/json"}}, [this](BodyWriter& out) {
        return stream(out);
      });
    if (request.target == "/short")
      co_return Answer(200, {}, [this](BodyWriter& out) { return short_stream(out); });
    co_return Response(200, {}, request.method + " " + request.target + " " + request.body);
  }

  Task<Result<void>> stream(BodyWriter& out) {
    Result<void> result;
    for (int i = 0; result.ok(); ++i) {
      result = co_await out.write(fmt::format("event {}\n", i));
      if (result.ok()) result = co_await world.loop.sleep_for(10s);
    }
    ended.push_back(fmt::format("stream: {}", base::name(result.error().kind())));
    co_return ends_well ? Result<void>() : std::move(result);
  }

  Task<Result<void>> short_stream(BodyWriter& out) {
    CO_TRY_VOID(co_await out.write("one "));
    CO_TRY_VOID(co_await out.write(""));
    co_return co_await out.write("two");
  }

  RawClient connect(std::size_t capacity = std::numeric_limits<std::size_t>::max()) {
    auto [near, far] = memory_stream_pair(world.loop, capacity);
    server->serve(std::move(far));
    return RawClient(std::move(near));
  }
  void pass(base::Duration time) { world.loop.run_virtual(world.clock, world.loop.in(time)); }
  void send(RawClient& client, std::string bytes) {
    EXPECT_TRUE(world.run(client.send(std::move(bytes))).ok());
  }
  std::string read_all(RawClient& client) { return world.run(client.read_all()); }
  std::string read_until(RawClient& client, std::string end) {
    return world.run(client.read_until(std::move(end)));
  }
  // Returns what a client receives that sends this and then waits for the end.
  std::string exchange_bytes(const std::string& bytes) {
    RawClient client = connect();
    send(client, bytes);
    return read_all(client);
  }

  VirtualWorld world;
  std::vector<std::string> logged;
  base::Log log{[this](std::string_view line) { logged.emplace_back(line); },
                world.clock,
                base::LogFormat::json};
  std::vector<std::string> requests;
  std::vector<std::string> ended;
  bool ends_well = false;
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServerTest, AnswersRequestsOnOneConnection) {
  start();
  RawClient client = connect();
  send(client, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_EQ(read_until(client, "POST /a hi"),
            "HTTP/1.1 200 OK\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\nContent-Length: 10\r\n"
            "Connection: keep-alive\r\n\r\nPOST /a hi");
  send(client, "GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string last = read_all(client);
  EXPECT_THAT(last, EndsWith("Connection: close\r\n\r\nGET /b "));
  pass(0s);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, OurClientReusesItsConnection) {
  start();
  auto own = std::make_unique<MemoryConnector>(
      world.loop, [this](auto stream) { server->serve(std::move(stream)); });
  MemoryConnector* connector = own.get();
  HttpClient client(world.loop, std::move(own), {"x", "test"});
  for (const char* target : {"/1", "/empty", "/2"}) {
    const auto answer = world.run(client.send(Request("GET", target), world.loop.in(5s)));
    ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  }
  EXPECT_EQ(connector->connections, 1);
}

TEST_F(HttpServerTest, AnswersToHeadHaveALengthButNoBody) {
  start();
  const std::string answers = exchange_bytes(
      "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n"
      "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(answers, HasSubstr("Content-Length: 8\r\nConnection: keep-alive\r\n\r\nHTTP/1.1"));
  EXPECT_THAT(answers, EndsWith("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(ended, IsEmpty()) << "the stream was not started";
}

TEST_F(HttpServerTest, PipelinedRequestsAreAnsweredInTheirOrder) {
  start();
  std::string asked;
  for (const char* target : {"/1", "/slow", "/2", "/empty", "/3"})
    asked += fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", target);
  asked += "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /never HTTP/1.1\r\n";
  const std::string answers = exchange_bytes(asked);
  EXPECT_THAT(requests,
              ElementsAre("GET /1", "GET /slow", "GET /2", "GET /empty", "GET /3", "GET /last"));
  std::size_t at = 0;
  for (const char* body :
       {"GET /1 ", "slow", "GET /2 ", "204 No Content", "GET /3 ", "GET /last"}) {
    at = answers.find(body, at);
    ASSERT_NE(at, std::string::npos) << body;
  }
}

TEST_F(HttpServerTest, AClientThatExpectsContinueReceivesIt) {
  start();
  RawClient client = connect();
  send(client, "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(read_until(client, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(requests, IsEmpty());
  send(client, "hi" + kGet);
  EXPECT_THAT(read_until(client, "POST /a hi"), StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(read_until(client, "GET / "), StartsWith("HTTP/1.1 200 OK"));

  RawClient hasty = connect();
  send(hasty, "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_THAT(read_until(hasty, "POST /a hi"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(HttpServerTest, Http10ClientsAreAnswered) {
  start();
  const std::string answer = exchange_bytes("GET /short HTTP/1.0\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n\r\none two"));
  EXPECT_THAT(answer, Not(HasSubstr("Transfer-Encoding")));
  RawClient keeps = connect();
  send(keeps, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(read_until(keeps, "GET /a "), HasSubstr("Connection: keep-alive"));
}

TEST_F(HttpServerTest, AMalformedRequestIsRejectedAndTheConnectionClosed) {
  HttpServerLimits limits;
  limits.header_bytes = 1024;
  limits.body_bytes = 1024;
  start(limits);
  struct Row {
    std::string bytes;
    std::string status;
  };
  const Row rows[] = {
      {"nonsense\r\n\r\n", "400 Bad Request"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1025\r\n\r\n", "413 Payload Too Large"},
      {"GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(2000, 'x'),
       "431 Request Header Fields Too Large"},
      {kGet + "nonsense\r\n\r\n" + kGet, "400 Bad Request"},
  };
  for (const Row& row : rows) {
    const std::string answer = exchange_bytes(row.bytes);
    EXPECT_THAT(answer, HasSubstr("HTTP/1.1 " + row.status + "\r\n"));
    const auto refusal = answer.substr(answer.find(row.status));
    EXPECT_THAT(refusal, HasSubstr("Connection: close\r\n\r\nthe request"));
  }
  EXPECT_THAT(requests, ElementsAre("GET /"));
}

TEST_F(HttpServerTest, ARejectedClientHasTimeToReadTheAnswerWhileItStillSends) {
  HttpServerLimits limits;
  limits.body_bytes = 1024;
  start(limits);
  RawClient client = connect(4096);
  bool gave_up = false;
  world.tasks.spawn("sender", [&]() -> Task<void> {
    std::string bytes = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    while ((co_await client.send(bytes)).ok()) {
      bytes = "400\r\n" + std::string(1024, 'x') + "\r\n";
      (void)co_await world.loop.sleep_for(10ms);
    }
    gave_up = true;
  });
  EXPECT_THAT(read_until(client, "bytes\n"), StartsWith("HTTP/1.1 413 Payload Too Large"));
  pass(1s);
  EXPECT_FALSE(gave_up) << "the server still reads";
  pass(3s);
  EXPECT_TRUE(gave_up) << "but not forever";
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, AnAnswerThatCannotBeSentIs500AndLogged) {
  start();
  RawClient client = connect();
  send(client, "GET /bad HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(read_until(client, "sent\n"), StartsWith("HTTP/1.1 500 Internal Server Error"));
  EXPECT_THAT(logged, ElementsAre(HasSubstr("has a control character")));
}

TEST_F(HttpServerTest, EveryWaitForAClientHasATimeout) {
  start();
  struct Row {
    std::string what;
    std::string sent;
    base::Duration ends_after;
    std::string expected;
  };
  const std::string half_body = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf";
  const Row rows[] = {
      {"nothing", "", 10s, ""},
      {"empty lines", "\r\n\r\n", 10s, ""},
      {"half a header", "GET / HTT", 10s, "HTTP/1.1 408"},
      {"half a body", half_body, 30s, "HTTP/1.1 408"},
      {"nothing after a request", kGet, 120s, "HTTP/1.1 200"},
      {"half a header after a request", kGet + "GET", 10s, "HTTP/1.1 408"},
      {"half a body after a request", kGet + half_body, 30s, "HTTP/1.1 408"},
  };
  for (const Row& row : rows) {
    const Instant begin = world.loop.now();
    RawClient client = connect();
    send(client, row.sent);
    const std::string received = read_until(client, row.expected.empty() ? "never" : row.expected);
    const Instant answered = world.loop.now();
    (void)read_all(client);
    const bool late = row.expected.ends_with("408");
    EXPECT_EQ((late ? answered : world.loop.now()) - begin, row.ends_after) << row.what;
    EXPECT_THAT(received, EndsWith(row.expected)) << row.what;
  }
}

TEST_F(HttpServerTest, SingleBytesDoNotExtendTheTimeout) {
  start();
  for (const std::string begin : {"GET / HTTP/1.1\r\nHost: x\r\nA: ",
                                  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n"}) {
    RawClient client = connect();
    const Instant began = world.loop.now();
    send(client, begin);
    world.tasks.spawn("drip", [&]() -> Task<void> {
      while ((co_await client.send("x")).ok()) {
        if (!(co_await world.loop.sleep_for(100ms)).ok()) co_return;
      }
    });
    EXPECT_THAT(read_until(client, "\r\n"), StartsWith("HTTP/1.1 408 Request Timeout"));
    EXPECT_EQ(world.loop.now() - began, begin.starts_with("GET") ? 10s : 30s);
    pass(3s);  // the drip ends with the connection
    EXPECT_EQ(server->connections(), 0U);
  }
}

TEST_F(HttpServerTest, ARequestThatCompletesAfterItsTimeoutIsRejected) {
  start();
  RawClient client = connect();
  world.tasks.spawn("late", [&]() -> Task<void> {
    (void)co_await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha");
    (void)co_await world.loop.sleep_until(Instant(29s));
    world.clock.advance_to(Instant(31s));  // something blocked the loop
    (void)co_await client.send("lf");
  });
  EXPECT_THAT(read_until(client, "\r\n"), StartsWith("HTTP/1.1 408 Request Timeout"));
}

TEST_F(HttpServerTest, AClientThatDoesNotReadItsAnswerIsDisconnected) {
  start();
  RawClient client = connect(1000);
  send(client, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  pass(29s);
  EXPECT_EQ(server->connections(), 1U);
  pass(2s);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, AStreamArrivesInParts) {
  start();
  RawClient client = connect();
  send(client, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(read_until(client, "\r\n\r\n8\r\nevent 0\n\r\n"),
              HasSubstr("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"));
  EXPECT_EQ(world.loop.now(), Instant());
  EXPECT_EQ(read_until(client, "event 1\n\r\n"), "8\r\nevent 1\n\r\n");
  EXPECT_EQ(world.loop.now(), Instant(10s));
  EXPECT_THAT(exchange_bytes("GET /short HTTP/1.1\r\nHost: x\r\n\r\n"),
              EndsWith("\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n"));
}

TEST_F(HttpServerTest, AStreamEndsWhenItsClientDisconnects) {
  start();
  {
    RawClient client = connect();
    send(client, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    pass(25s);
    EXPECT_THAT(ended, IsEmpty());
  }
  pass(0s);
  EXPECT_THAT(ended, ElementsAre("stream: cancelled"));
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, AStreamWhoseClientDoesNotReadEnds) {
  start();
  RawClient client = connect(200);
  send(client, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  pass(5min);
  EXPECT_EQ(ended.size(), 1U);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, OnlyAStreamWithoutErrorIsComplete) {
  for (const bool well : {true, false}) {
    ends_well = well;
    ended.clear();
    start();
    RawClient client = connect();
    send(client, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    pass(5s);
    world.run(server->stop(world.loop.in(10s)));
    EXPECT_EQ(world.loop.now(), Instant(well ? 5s : 10s)) << "a stream is not waited for";
    EXPECT_EQ(read_all(client).ends_with("0\r\n\r\n"), well);
    EXPECT_THAT(ended, ElementsAre("stream: cancelled"));
  }
}

TEST_F(HttpServerTest, StopLetsRequestsFinishAndClosesIdleConnections) {
  start();
  RawClient idle = connect();
  send(idle, kGet);
  (void)read_until(idle, "GET / ");
  RawClient silent = connect();
  RawClient half = connect();
  send(half, "GET /half HTTP/1.1\r\n");
  RawClient busy = connect();
  send(busy, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + kGet);
  pass(1s);
  world.tasks.spawn("late", [&]() -> Task<void> {
    (void)co_await world.loop.sleep_for(2s);
    EXPECT_FALSE(idle.is_open());
    EXPECT_FALSE(silent.is_open());
    (void)co_await half.send("Host: x\r\n\r\n");
  });
  world.run(server->stop(world.loop.in(60s)));
  EXPECT_EQ(world.loop.now(), Instant(5s)) << "when the slow request was answered";
  EXPECT_THAT(read_all(busy), EndsWith("Connection: close\r\n\r\nslow"));
  EXPECT_THAT(read_all(half), EndsWith("Connection: close\r\n\r\nGET /half "));
  EXPECT_THAT(ended, IsEmpty());
  RawClient newcomer = connect();
  EXPECT_EQ(read_all(newcomer), "");
}

TEST_F(HttpServerTest, StopCancelsRequestsAfterTheGracePeriod) {
  start();
  RawClient busy = connect();
  send(busy, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  RawClient half = connect();
  send(half, "GET /half HTTP/1.1\r\n");
  pass(1s);
  world.run(server->stop(world.loop.in(2s)));
  EXPECT_EQ(world.loop.now(), Instant(3s));
  EXPECT_THAT(ended, ElementsAre("slow: cancelled"));
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(HttpServerTest, ANewConnectionReplacesTheOneThatWaitedLongest) {
  HttpServerLimits limits;
  limits.connections = 4;
  start(limits);
  RawClient idle = connect();
  send(idle, kGet);
  (void)read_until(idle, "GET / ");
  RawClient half = connect();
  send(half, "GET /half HTT");
  pass(1s);
  RawClient silent = connect();
  pass(1s);
  RawClient busy = connect();
  send(busy, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  pass(1s);

  std::vector<RawClient> newcomers;
  const auto another = [&] {
    newcomers.push_back(connect());
    send(newcomers.back(), "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    pass(0s);
  };
  another();
  EXPECT_FALSE(half.is_open());
  EXPECT_TRUE(silent.is_open());
  another();
  EXPECT_FALSE(silent.is_open());
  EXPECT_TRUE(idle.is_open()) << "it has sent a complete request before";
  another();
  EXPECT_FALSE(idle.is_open());
  EXPECT_TRUE(busy.is_open());
  another();
  EXPECT_THAT(read_all(newcomers.back()), StartsWith("HTTP/1.1 503 Service Unavailable"))
      << "all others are in a handler";
  EXPECT_THAT(read_until(busy, "\r\n\r\nslow"), StartsWith("HTTP/1.1 200 OK"));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(read_until(newcomers[i], "\r\n\r\nslow"), StartsWith("HTTP/1.1 200 OK"));
}

TEST_F(HttpServerTest, ConnectionsWithoutARequestAreClosedFirst) {
  HttpServerLimits limits;
  limits.connections = 3;
  start(limits);
  std::vector<RawClient> known;
  for (int i = 0; i < 2; ++i) {
    known.push_back(connect());
    send(known.back(), kGet);
    (void)read_until(known.back(), "GET / ");
  }
  send(known[0], "GET / HTTP/1.1\r\nHo");
  pass(1s);
  RawClient unknown = connect();
  send(unknown, "GET / HTTP/1.1\r\nHo");
  pass(1s);
  RawClient busy = connect();
  send(busy, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  pass(0s);
  EXPECT_FALSE(unknown.is_open());
  RawClient next = connect();
  pass(0s);
  EXPECT_TRUE(known[0].is_open()) << "it is sending a request";
  EXPECT_FALSE(known[1].is_open());
}

TEST_F(HttpServerTest, IncompleteRequestsDoNotExhaustTheMemory) {
  HttpServerLimits limits;
  limits.receiving_bytes = 10'000;
  start(limits);
  const auto half = [&] {
    RawClient client = connect();
    send(client,
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n" + std::string(4000, 'x'));
    pass(1s);
    return client;
  };
  RawClient silent = connect();
  pass(1s);
  RawClient first = half();
  RawClient second = half();
  EXPECT_TRUE(first.is_open());
  RawClient third = half();
  EXPECT_FALSE(first.is_open());
  EXPECT_TRUE(silent.is_open()) << "closing it would free no memory";
  send(second, std::string(4000, 'x'));
  EXPECT_THAT(read_until(second, "xxx"), StartsWith("HTTP/1.1 200 OK"));
  RawClient fourth = half();
  EXPECT_TRUE(third.is_open()) << "answered requests are not counted";
  EXPECT_TRUE(fourth.is_open());
}

TEST_F(HttpServerTest, TheNumberOfRejectionsIsLimited) {
  HttpServerLimits limits;
  limits.connections = 8;
  start(limits);
  std::vector<RawClient> busy;
  for (int i = 0; i < 8; ++i) {
    busy.push_back(connect());
    send(busy.back(), "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  pass(0s);
  std::vector<RawClient> more;
  for (int i = 0; i < 100; ++i) more.push_back(connect());
  pass(0s);
  EXPECT_EQ(server->connections(), 9U);
  EXPECT_FALSE(more.front().is_open());
  send(more.back(), kGet);
  EXPECT_THAT(read_all(more.back()), StartsWith("HTTP/1.1 503"));
  EXPECT_EQ(requests.size(), 8U);
}

TEST_F(HttpServerTest, ManySilentClientsDoNotBlockOthers) {
  HttpServerLimits limits;
  limits.connections = 50;
  start(limits);
  std::vector<RawClient> crowd;
  RawClient good = connect();
  for (int i = 0; i < 500; ++i) {
    crowd.push_back(connect());
    if (i % 3 == 0) send(crowd.back(), "GET / HTTP/1.1\r\nHo");
    if (i % 3 == 1) send(crowd.back(), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n");
    if (i % 10 != 0) continue;
    send(good, kGet);
    EXPECT_THAT(read_until(good, "GET / "), StartsWith("HTTP/1.1 200 OK")) << i;
    EXPECT_LE(server->connections(), 50U + 1);
    RawClient newcomer = connect();
    send(newcomer, kGet);
    EXPECT_THAT(read_until(newcomer, "GET / "), StartsWith("HTTP/1.1 200 OK")) << i;
  }
}

}  // namespace
}  // namespace net
