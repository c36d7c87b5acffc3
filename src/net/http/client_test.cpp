// SPDX-License-Identifier: Apache-2.0
#include "net/http/client.h"

#include "net/testing/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace net {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using base::Result;
using http::Request;
using http::Response;
using http::StreamingResponse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MemoryConnector;
using ::testing::Not;
using testing::VirtualWorld;
using namespace std::chrono_literals;

std::string ok(std::string_view body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

// How the server reacts to its next request.
struct Reply {
  enum class Then { keep, close };

  std::string bytes;
  base::Duration after{};
  Then then = Then::keep;
};

// A server that answers requests from a script, on any number of connections.
class HttpClientTest : public ::testing::Test {
 protected:
  void TearDown() override {
    client.reset();
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }

  void make_client(std::size_t most_in_use = 8) {
    auto own = std::make_unique<MemoryConnector>(
        world.loop, [this](auto stream) { world.tasks.spawn("peer", serve(std::move(stream))); });
    connector = own.get();
    HttpOptions options;
    options.authority = "api:6443";
    options.user_agent = "slurm-bridge/test";
    options.most_in_use = most_in_use;
    client = std::make_unique<HttpClient>(world.loop, std::move(own), options);
  }

  Task<void> serve(std::unique_ptr<Stream> stream) {
    ++peers;
    co_await answer_all(std::move(stream));
    --peers;
  }

  Task<void> answer_all(std::unique_ptr<Stream> stream) {
    std::string received;
    std::array<char, 4096> buffer{};
    if (deaf) (void)co_await world.loop.sleep_until(base::kNever);
    for (;;) {
      while (!has_request(received)) {
        auto n = co_await stream->read_some(asio::buffer(buffer));
        if (!n.ok() || *n == 0) co_return;
        received.append(buffer.data(), *n);
      }
      requests.push_back(std::exchange(received, {}));
      if (script.empty()) continue;  // no answer
      const Reply reply = std::move(script.front());
      script.pop_front();
      if (reply.after > base::Duration::zero()) (void)co_await world.loop.sleep_for(reply.after);
      (void)co_await stream->write(asio::buffer(reply.bytes));
      if (reply.then == Reply::Then::close) co_return;
    }
  }

  static bool has_request(const std::string& received) {
    const auto end = received.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const auto length = received.find("Content-Length: ");
    const std::size_t body = length < end ? std::stoul(received.substr(length + 16)) : 0;
    return received.size() >= end + 4 + body;
  }

  Result<Response> send(Request request, base::Duration patience = 5s) {
    return world.run(client->send(std::move(request), world.loop.in(patience)));
  }
  Result<Response> get(base::Duration patience = 5s) { return send(Request("GET", "/"), patience); }
  Result<Response> post(base::Duration patience = 5s) {
    return send(Request("POST", "/", "{}"), patience);
  }
  Result<StreamingResponse> open(base::Duration patience = 5s) {
    return world.run(client->open(Request("GET", "/watch"), world.loop.in(patience)));
  }
  Result<std::size_t> read(StreamingResponse& from, std::string& into, base::Duration patience) {
    return world.run(from.body->read(into, world.loop.in(patience)));
  }

  // A connection that the server closed without the client noticing, as if its FIN were still in
  // transit when the next request is sent.
  void leave_a_stale_connection() {
    script.push_back({ok("first")});
    ASSERT_TRUE(get().ok());
    ASSERT_EQ(client->idle(), 1U);
    script.push_back({"", {}, Reply::Then::close});
    requests.clear();
  }

  VirtualWorld world;
  std::deque<Reply> script;
  bool deaf = false;
  int peers = 0;  // that still have their connection
  std::vector<std::string> requests;
  MemoryConnector* connector = nullptr;
  std::unique_ptr<HttpClient> client;
};

TEST_F(HttpClientTest, SendsARequestAndReadsItsAnswer) {
  make_client();
  script.push_back({"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nX-Kind: Pod\r\n\r\nhi"});
  Request request("POST", "/api/v1/pods", "{}");
  request.headers.emplace_back("Content-Type", "application/json");
  const auto answer = send(std::move(request));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->header("x-kind"), "Pod");
  EXPECT_EQ(answer->body, "hi");
  EXPECT_THAT(requests,
              ElementsAre("POST /api/v1/pods HTTP/1.1\r\nHost: api:6443\r\n"
                          "User-Agent: slurm-bridge/test\r\nContent-Type: application/json\r\n"
                          "Content-Length: 2\r\n\r\n{}"));
}

TEST_F(HttpClientTest, AStatusIsNotAnError) {
  make_client();
  script.push_back({"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(get()->status, 503);
}

TEST_F(HttpClientTest, ReusesConnections) {
  make_client();
  for (int i = 0; i < 3; ++i) script.push_back({ok("hi")});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(get().ok());
  EXPECT_EQ(connector->connections, 1);
  EXPECT_EQ(client->idle(), 1U);
}

TEST_F(HttpClientTest, DoesNotReuseAConnectionThatTheServerWantsToClose) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"});
  script.push_back({"HTTP/1.1 200 OK\r\n\r\nto the end", {}, Reply::Then::close});
  script.push_back({ok("hi")});
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(get()->body, "to the end");
  EXPECT_TRUE(post().ok());
  EXPECT_EQ(connector->connections, 3);
}

TEST_F(HttpClientTest, DoesNotReuseAConnectionThatIsKnownToBeClosed) {
  make_client();
  script.push_back({ok("hi"), {}, Reply::Then::close});
  script.push_back({ok("again")});
  EXPECT_TRUE(get().ok());
  world.loop.run_virtual(world.clock, world.loop.in(1s));
  EXPECT_EQ(post()->body, "again") << "also for a request that must not be repeated";
  EXPECT_EQ(connector->connections, 2);
}

TEST_F(HttpClientTest, DoesNotReuseAConnectionThatWasIdleTooLong) {
  make_client();
  script.push_back({ok("hi")});
  script.push_back({ok("again")});
  EXPECT_TRUE(get().ok());
  world.clock.advance_to(world.loop.in(61s));
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(connector->connections, 2);
}

TEST_F(HttpClientTest, RepeatsAGetOnceWhenItsReusedConnectionWasStale) {
  make_client();
  leave_a_stale_connection();
  script.push_back({ok("second")});
  const auto answer = get();
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->body, "second");
  EXPECT_EQ(requests.size(), 2U);
  EXPECT_EQ(connector->connections, 2);
}

TEST_F(HttpClientTest, NeverRepeatsAPost) {
  make_client();
  leave_a_stale_connection();
  script.push_back({ok("second")});
  EXPECT_EQ(post().error().to_string(), "lost: peer:80: the connection ended before an answer");
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(HttpClientTest, RepeatsAPostThatIsMarkedRepeatable) {
  make_client();
  leave_a_stale_connection();
  script.push_back({ok("second")});
  Request request("POST", "/");
  request.repeatable = true;
  EXPECT_TRUE(send(std::move(request)).ok());
}

TEST_F(HttpClientTest, DoesNotRepeatASecondTime) {
  make_client();
  leave_a_stale_connection();
  script.push_back({"", {}, Reply::Then::close});
  EXPECT_EQ(get().error().kind(), Kind::lost);
  EXPECT_EQ(requests.size(), 2U);
}

TEST_F(HttpClientTest, DoesNotRepeatOnAFreshConnectionNorAfterTheFirstByte) {
  make_client();
  script.push_back({"", {}, Reply::Then::close});
  EXPECT_EQ(get().error().kind(), Kind::lost);
  EXPECT_EQ(requests.size(), 1U);

  leave_a_stale_connection();
  script.front().bytes = "H";
  EXPECT_EQ(get().error().kind(), Kind::lost);
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(HttpClientTest, ASecondAttemptThatCannotConnectIsStillLost) {
  make_client();
  leave_a_stale_connection();
  connector->refuse = true;
  const auto answer = send(Request("DELETE", "/job/7"));
  EXPECT_EQ(answer.error().to_string(), "lost: cannot connect to peer:80: refused");
}

TEST_F(HttpClientTest, NoConnectionIsUnreachable) {
  make_client();
  connector->refuse = true;
  EXPECT_EQ(post().error().to_string(), "unreachable: cannot connect to peer:80: refused");
}

TEST_F(HttpClientTest, ADeadlineWhileConnectingIsUnreachable) {
  make_client();
  connector->latency = 10s;
  EXPECT_EQ(post(5s).error().kind(), Kind::unreachable);
  EXPECT_EQ(world.loop.now(), Instant(5s));
  EXPECT_TRUE(requests.empty());
}

TEST_F(HttpClientTest, APassedDeadlineIsUnreachableEvenWithAnIdleConnection) {
  make_client();
  script.push_back({ok("hi")});
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(post(0s).error().kind(), Kind::unreachable);
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(HttpClientTest, ADeadlineAfterSendingIsLostAndClosesTheConnection) {
  make_client();
  const auto answer = post(5s);
  EXPECT_EQ(answer.error().to_string(), "lost: no answer from peer:80 within 5 s");
  EXPECT_EQ(world.loop.now(), Instant(5s));
  EXPECT_EQ(requests.size(), 1U);
  EXPECT_EQ(client->idle(), 0U);
  EXPECT_EQ(client->in_use(), 0U);
  world.loop.run_virtual(world.clock, world.loop.now());
  EXPECT_EQ(peers, 0) << "the server sees the end as well";
}

TEST_F(HttpClientTest, TheDeadlineIncludesTheBody) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", 3s});
  EXPECT_EQ(get(5s).error().to_string(), "lost: no answer from peer:80 within 5 s");
  EXPECT_EQ(world.loop.now(), Instant(5s));
}

TEST_F(HttpClientTest, ADeadlineWhileThePeerDoesNotReadTheRequestIsLost) {
  make_client();
  connector->capacity = 16;
  deaf = true;
  EXPECT_EQ(post(5s).error().to_string(), "lost: no answer from peer:80 within 5 s");
}

TEST_F(HttpClientTest, AGetThatExceededItsDeadlineIsNotRepeated) {
  make_client();
  script.push_back({ok("hi")});
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(get(5s).error().kind(), Kind::lost);
  EXPECT_EQ(requests.size(), 2U);
  EXPECT_EQ(connector->connections, 1);
}

TEST_F(HttpClientTest, AnEarlyEndIsLost) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", {}, Reply::Then::close});
  EXPECT_EQ(get().error().to_string(),
            "lost: peer:80: the connection ended in the middle of the answer");
}

TEST_F(HttpClientTest, AMalformedAnswerIsAProtocolError) {
  make_client();
  script.push_back({"SSH-2.0-OpenSSH_9.2p1\r\n"});
  const auto answer = get();
  EXPECT_EQ(answer.error().kind(), Kind::protocol);
  EXPECT_THAT(answer.error().message(), HasSubstr("peer:80: the answer is not valid HTTP"));
  EXPECT_EQ(client->idle(), 0U);
}

TEST_F(HttpClientTest, AnOversizedHeaderIsAProtocolError) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nA: " + std::string(65 << 10, 'x')});
  const auto answer = get();
  EXPECT_EQ(answer.error().to_string(),
            "protocol error: peer:80: the answer's header is larger than 64 KiB");
}

TEST_F(HttpClientTest, AnInvalidRequestIsNotSent) {
  make_client();
  Request request("GET", "/");
  request.headers.emplace_back("Authorization", "Bearer secret\r\n");
  const auto answer = send(std::move(request));
  EXPECT_EQ(answer.error().kind(), Kind::invalid);
  EXPECT_THAT(answer.error().message(), Not(HasSubstr("secret")));
  EXPECT_EQ(connector->connections, 0);
}

TEST_F(HttpClientTest, RequestsAboveTheLimitQueue) {
  make_client(2);
  std::vector<std::string> order;
  for (int i = 0; i < 6; ++i) script.push_back({ok(std::to_string(i)), 1s});
  for (int i = 0; i < 6; ++i) {
    world.tasks.spawn("caller", [this, &order, i]() -> Task<void> {
      const auto answer =
          co_await client->send(Request("GET", "/" + std::to_string(i)), world.loop.in(1h));
      order.push_back(answer->body);
    });
  }
  world.loop.run_virtual(world.clock, Instant(500ms));
  EXPECT_EQ(client->in_use(), 2U);
  EXPECT_EQ(client->waiting(), 4U);
  world.loop.run_virtual(world.clock, Instant(1h));
  EXPECT_THAT(order, ElementsAre("0", "1", "2", "3", "4", "5"));
  EXPECT_EQ(connector->connections, 2);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_THAT(requests[i], HasSubstr("GET /" + std::to_string(i)));
}

TEST_F(HttpClientTest, ADeadlineInTheQueueIsUnreachable) {
  make_client(1);
  script.push_back({ok("slow"), 10s});
  world.tasks.spawn("first", [this]() -> Task<void> {
    (void)co_await client->send(Request("GET", "/first"), world.loop.in(1h));
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  EXPECT_EQ(post(5s).error().to_string(),
            "unreachable: no free connection to peer:80 within 5 s: all 1 are in use");
  EXPECT_EQ(requests.size(), 1U);
}

TEST_F(HttpClientTest, CancellingEndsARequestAtAnyStageAndFreesItsPermit) {
  make_client(1);
  connector->latency = 1s;
  for (const std::chrono::milliseconds when : {0ms, 500ms, 1000ms, 2000ms}) {
    TaskGroup group(world.loop);
    std::vector<Kind> kinds;
    for (int i = 0; i < 2; ++i) {
      group.spawn("caller", [&]() -> Task<void> {
        for (int again = 0; again < 2; ++again) {
          const auto answer = co_await client->send(Request("GET", "/"), world.loop.in(1h));
          kinds.push_back(answer.error().kind());
        }
      });
    }
    world.loop.run_virtual(world.clock, world.loop.in(when));
    group.cancel();
    world.run(group.join());
    EXPECT_THAT(kinds, ::testing::Each(Kind::cancelled));
    EXPECT_EQ(kinds.size(), 4U);
    EXPECT_EQ(client->in_use(), 0U);
    EXPECT_EQ(client->waiting(), 0U);
  }
}

TEST_F(HttpClientTest, OpenReadsABodyAsItArrives) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n"});
  auto answer = open();
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->status, 200);
  std::string body;
  EXPECT_EQ(*read(*answer, body, 1h), 5U);
  EXPECT_EQ(body, "first");
  EXPECT_EQ(read(*answer, body, 10s).error().to_string(),
            "lost: no answer from peer:80 within 10 s");
  EXPECT_EQ(read(*answer, body, 10s).error().kind(), Kind::lost) << "the error is permanent";
}

TEST_F(HttpClientTest, OpenReturnsItsConnectionOnlyAfterTheWholeBody) {
  make_client();
  const std::string answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";
  script.push_back({answer + "0\r\n\r\n"});
  script.push_back({answer});
  std::string body;
  {
    auto whole = open();
    EXPECT_EQ(*read(*whole, body, 1s), 2U);
    EXPECT_EQ(*read(*whole, body, 1s), 0U);
    EXPECT_EQ(*read(*whole, body, 1s), 0U) << "a further read returns the end again";
    EXPECT_EQ(client->idle(), 1U);
  }
  {
    auto given_up = open();
    EXPECT_EQ(connector->connections, 1) << "the idle connection was used";
    EXPECT_EQ(*read(*given_up, body, 1s), 2U);
  }
  EXPECT_EQ(client->idle(), 0U);
}

TEST_F(HttpClientTest, OpenIsNotCountedInTheLimit) {
  make_client(1);
  script.push_back({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"});
  script.push_back({ok("hi")});
  auto watch = open();
  ASSERT_TRUE(watch.ok());
  EXPECT_EQ(client->in_use(), 0U);
  EXPECT_TRUE(get().ok());
}

TEST_F(HttpClientTest, AnEarlyEndOfAnOpenBodyIsLost) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n",
                    {},
                    Reply::Then::close});
  auto answer = open();
  std::string body;
  EXPECT_EQ(*read(*answer, body, 1s), 5U);
  EXPECT_EQ(read(*answer, body, 1s).error().kind(), Kind::lost);
}

TEST_F(HttpClientTest, ABodyMayOutliveItsClient) {
  make_client();
  script.push_back({ok("hello")});
  auto answer = open();
  client.reset();
  std::string body;
  EXPECT_EQ(*read(*answer, body, 1s), 5U);
  EXPECT_EQ(*read(*answer, body, 1s), 0U);
}

TEST_F(HttpClientTest, CancellingEndsTheReadOfAnOpenBody) {
  make_client();
  script.push_back({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"});
  TaskGroup group(world.loop);
  Kind kind{};
  group.spawn("watcher", [&]() -> Task<void> {
    auto answer = co_await client->open(Request("GET", "/watch"), world.loop.in(5s));
    std::string body;
    kind = (co_await answer->body->read(body, base::kNever)).error().kind();
  });
  world.loop.run_virtual(world.clock, Instant(1h));
  group.cancel();
  world.run(group.join());
  EXPECT_EQ(kind, Kind::cancelled);
}

// Through the whole client: every way to cut an answer in two, with time in between.
TEST_F(HttpClientTest, ReadsAnAnswerCutAtAnyByte) {
  const std::string bytes =
      "HTTP/1.1 100 Continue\r\n\r\n"
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  std::size_t cut = 0;
  auto own = std::make_unique<MemoryConnector>(world.loop, [&](std::unique_ptr<Stream> stream) {
    world.tasks.spawn("peer", [&, stream = std::move(stream)]() -> Task<void> {
      std::array<char, 4096> buffer{};
      (void)co_await stream->read_some(asio::buffer(buffer));
      (void)co_await stream->write(asio::buffer(bytes.data(), cut));
      (void)co_await world.loop.sleep_for(1s);
      (void)co_await stream->write(asio::buffer(bytes) + cut);
    });
  });
  client = std::make_unique<HttpClient>(world.loop, std::move(own), HttpOptions{});
  for (; cut <= bytes.size(); ++cut) {
    const auto answer = get();
    ASSERT_TRUE(answer.ok()) << cut << ": " << answer.error().to_string();
    EXPECT_EQ(answer->body, "hello");
  }
  world.loop.run_virtual(world.clock);  // the peers use variables declared here
}

}  // namespace
}  // namespace net
