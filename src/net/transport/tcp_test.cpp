// SPDX-License-Identifier: Apache-2.0
#include "net/http/client.h"
#include "net/testing/loop.h"
#include "net/testing/socket.h"
#include "net/transport/connector.h"
#include "net/transport/deadline.h"
#include "net/transport/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace net::inline transport {
namespace {

using base::Kind;
using base::Result;
using ::testing::HasSubstr;
using testing::Listener;
using testing::RealWorld;
using testing::Socket;
using namespace std::chrono_literals;

// Long enough that only a hang reaches it.
constexpr auto kLong = 60s;

Task<Result<std::string>> read_piece(Stream& stream) {
  std::array<char, 64> buffer{};
  CO_TRY(const std::size_t n, co_await stream.read_some(asio::buffer(buffer)));
  co_return std::string(buffer.data(), n);
}

struct TcpTest : ::testing::Test {
  std::unique_ptr<Stream> connect(std::string host = "127.0.0.1") {
    TcpConnector connector(world.loop, std::move(host), listener.port());
    auto stream = world.run(connector.connect(world.loop.in(kLong)));
    EXPECT_TRUE(stream.ok()) << (stream.ok() ? "" : stream.error().to_string());
    return stream.ok() ? std::move(*stream) : nullptr;
  }

  // On loopback the kernel delivers at once, but without a guarantee.
  bool becomes(bool alive, Stream& stream) {
    const auto watch = [&]() -> Task<bool> {
      const auto end = world.loop.in(kLong);
      while (stream.looks_alive() != alive) {
        if (world.loop.now() > end) co_return false;
        (void)co_await world.loop.sleep_for(1ms);
      }
      co_return true;
    };
    return world.run(watch());
  }

  RealWorld world;
  Listener listener;
};

TEST_F(TcpTest, CarriesBytesBothWaysUntilTheEnd) {
  auto stream = connect();
  const Socket peer = listener.accept();
  const std::string text = "hello";
  EXPECT_TRUE(world.run(stream->write(asio::buffer(text))).ok());
  EXPECT_EQ(peer.read(5), "hello");
  peer.write("good day");
  EXPECT_EQ(*world.run(read_piece(*stream)), "good day");
  peer.shutdown();
  EXPECT_EQ(*world.run(read_piece(*stream)), "");
}

TEST_F(TcpTest, ANameIsResolved) {
  EXPECT_NE(connect("localhost"), nullptr);
}

TEST_F(TcpTest, ANameThatCannotBeResolvedIsUnreachable) {
  TcpConnector connector(world.loop, std::string(300, 'x'), 80);
  const auto stream = world.run(connector.connect(world.loop.in(kLong)));
  EXPECT_EQ(stream.error().kind(), Kind::unreachable);
  EXPECT_THAT(stream.error().message(), HasSubstr("its name cannot be resolved"));
}

TEST_F(TcpTest, ARefusedConnectionIsUnreachableWithItsAddress) {
  TcpConnector connector(world.loop, "127.0.0.1", Listener::unused_port());
  const auto stream = world.run(connector.connect(world.loop.in(kLong)));
  EXPECT_EQ(stream.error().to_string(),
            "unreachable: cannot connect to " + connector.name() + ": Connection refused");
}

TEST_F(TcpTest, AServerThatDoesNotAnswerIsUnreachableAtTheDeadline) {
  const Listener full(Listener::Backlog::full);
  if (!full.is_full()) GTEST_SKIP() << "this kernel always accepts";
  TcpConnector connector(world.loop, "127.0.0.1", full.port());
  const auto stream = world.run(connector.connect(world.loop.in(20ms)));
  EXPECT_THAT(
      stream.error().to_string(),
      HasSubstr("unreachable: cannot connect to " + connector.name() + ": no answer within"));
}

TEST_F(TcpTest, LooksAliveUntilThePeerEndsOrSendsUnexpectedBytes) {
  auto stream = connect();
  {
    const Socket peer = listener.accept();
    EXPECT_TRUE(stream->looks_alive());
    peer.write("x");
    EXPECT_TRUE(becomes(false, *stream));
    EXPECT_EQ(*world.run(read_piece(*stream)), "x");
    EXPECT_TRUE(stream->looks_alive());
  }
  EXPECT_TRUE(becomes(false, *stream));

  auto other = connect();
  other->close();
  EXPECT_FALSE(other->looks_alive());
}

TEST_F(TcpTest, CloseEndsAPendingReadAndEverythingAfterIt) {
  auto stream = connect();
  const Timer close = world.loop.timers().arm(world.loop.in(1ms), [&] { stream->close(); });
  EXPECT_EQ(world.run(read_piece(*stream)).error().to_string(), "lost: the connection was closed");
  EXPECT_EQ(world.run(read_piece(*stream)).error().kind(), Kind::lost);
  EXPECT_EQ(world.run(stream->write(asio::buffer("x", 1))).error().kind(), Kind::lost);
}

TEST_F(TcpTest, ADeadlineClosesTheConnection) {
  auto stream = connect();
  const Socket peer = listener.accept();
  const auto ask = [&]() -> Task<Result<std::string>> {
    const base::Instant now = world.loop.now();
    const Deadline deadline(world.loop, now, now + 10ms, *stream);
    auto piece = co_await read_piece(*stream);
    co_return deadline.explain(std::move(piece).error(), "peer");
  };
  EXPECT_EQ(world.run(ask()).error().to_string(), "lost: no answer from peer within 10 ms");
  EXPECT_EQ(peer.read(1), "") << "the peer sees the end";
}

TEST_F(TcpTest, AConnectionThatIsResetIsLost) {
  auto stream = connect();
  listener.accept().reset();
  EXPECT_EQ(world.run(read_piece(*stream)).error().to_string(), "lost: Connection reset by peer");
}

TEST_F(TcpTest, CancellingEndsAPendingReadAndLaterOperationsAtOnce) {
  auto stream = connect();
  TcpConnector connector(world.loop, "127.0.0.1", listener.port());
  TaskGroup group(world.loop);
  std::vector<Kind> kinds;
  group.spawn("reader", [&]() -> Task<void> {
    kinds.push_back((co_await read_piece(*stream)).error().kind());
    kinds.push_back((co_await read_piece(*stream)).error().kind());
    kinds.push_back((co_await stream->write(asio::buffer("x", 1))).error().kind());
    kinds.push_back((co_await connector.connect(base::kNever)).error().kind());
  });
  const Timer cancel = world.loop.timers().arm(world.loop.in(1ms), [&] { group.cancel(); });
  world.run(group.join());
  EXPECT_EQ(kinds, std::vector<Kind>(4, Kind::cancelled));
}

TEST_F(TcpTest, CancellingEndsALookupWithoutWaitingForIt) {
  TcpConnector connector(world.loop, "localhost", listener.port());
  TaskGroup group(world.loop);
  Kind kind{};
  group.spawn("connector", [&]() -> Task<void> {
    const auto stream = co_await connector.connect(world.loop.in(kLong));
    if (!stream.ok()) kind = stream.error().kind();
  });
  // Queued after the first steps of the task, and long before the lookup can complete.
  group.spawn("canceller", [&]() -> Task<void> {
    group.cancel();
    co_return;
  });
  world.run(group.join());
  EXPECT_EQ(kind, Kind::cancelled);
}

TEST_F(TcpTest, AnHttpClientWorksOverIt) {
  const std::string body(3'000'000, 'x');
  const std::jthread server([&] {
    const Socket peer = listener.accept();
    EXPECT_EQ(peer.read(10), "GET / HTTP");
    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + body);
    peer.read(1000);  // until the client disconnects
  });
  const auto url = parse_url("http://127.0.0.1:" + std::to_string(listener.port()));
  HttpOptions options;
  options.authority = url->authority();
  HttpClient client(world.loop, *make_connector(world.loop, *url, {}), options);
  const auto answer = world.run(client.send(http::Request("GET", "/"), world.loop.in(kLong)));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_TRUE(answer->body == body);
  EXPECT_EQ(client.idle(), 1U);
}

}  // namespace
}  // namespace net::inline transport
