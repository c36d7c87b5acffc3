// SPDX-License-Identifier: Apache-2.0
#include "net/transport/memory_stream.h"

#include "net/testing/loop.h"
#include "net/transport/deadline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace net::inline transport {
namespace {

using base::Instant;
using base::Kind;
using base::Result;
using testing::VirtualWorld;
using namespace std::chrono_literals;

Task<Result<std::string>> read_piece(Stream& stream) {
  std::array<char, 16> buffer{};
  CO_TRY(const std::size_t n, co_await stream.read_some(asio::buffer(buffer)));
  co_return std::string(buffer.data(), n);
}

Task<Result<std::string>> read_to_end(Stream& stream) {
  std::string all;
  for (;;) {
    CO_TRY(const std::string piece, co_await read_piece(stream));
    if (piece.empty()) co_return all;
    all += piece;
  }
}

Task<Result<void>> send(Stream& stream, std::string text) {
  co_return co_await stream.write(asio::buffer(text));
}

struct MemoryStreamTest : ::testing::Test {
  void connect(std::size_t capacity = 1000) {
    std::tie(near, far) = memory_stream_pair(world.loop, capacity);
  }
  void TearDown() override {
    world.tasks.cancel();
    world.loop.run_virtual(world.clock);
  }

  VirtualWorld world;
  std::unique_ptr<Stream> near;
  std::unique_ptr<Stream> far;
};

TEST_F(MemoryStreamTest, CarriesBytesBothWaysAndEndsOrderly) {
  connect();
  EXPECT_TRUE(near->looks_alive());
  EXPECT_TRUE(world.run(send(*near, "hello")).ok());
  EXPECT_TRUE(world.run(send(*far, "good day")).ok());
  EXPECT_FALSE(near->looks_alive()) << "unread data on an idle connection";
  far->close();
  EXPECT_EQ(*world.run(read_to_end(*near)), "good day");
  EXPECT_FALSE(near->looks_alive());
  EXPECT_EQ(world.run(send(*near, "still open?")).error().kind(), Kind::lost);
}

TEST_F(MemoryStreamTest, AWriteWaitsWhileTheBufferIsFull) {
  connect(4);
  std::string got;
  world.tasks.spawn("reader", [&]() -> Task<void> {
    (void)co_await world.loop.sleep_for(10s);
    got = *co_await read_to_end(*far);
  });
  EXPECT_TRUE(world.run(send(*near, "more than four")).ok());
  EXPECT_EQ(world.loop.now(), Instant(10s));
  near->close();
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(got, "more than four");
}

TEST_F(MemoryStreamTest, CloseEndsPendingOperations) {
  connect(1);
  const Timer close = world.loop.timers().arm(Instant(5s), [&] { near->close(); });
  Kind writing{};
  world.tasks.spawn("writer", [&]() -> Task<void> {
    writing = (co_await send(*near, "long text")).error().kind();
  });
  EXPECT_EQ(world.run(read_piece(*near)).error().kind(), Kind::lost);
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(writing, Kind::lost);
  EXPECT_EQ(world.loop.now(), Instant(5s));
}

TEST_F(MemoryStreamTest, CancellingTheTaskEndsItsReadAndLaterReadsAtOnce) {
  connect();
  int cancelled = 0;
  world.tasks.spawn("reader", [&]() -> Task<void> {
    for (int i = 0; i < 2; ++i) {
      const auto piece = co_await read_piece(*near);
      if (!piece.ok() && piece.error().is(Kind::cancelled)) ++cancelled;
    }
    const auto sent = co_await send(*near, "bye");
    if (!sent.ok() && sent.error().is(Kind::cancelled)) ++cancelled;
  });
  world.loop.run_virtual(world.clock, Instant(1s));
  world.tasks.cancel();
  world.loop.run_virtual(world.clock);
  EXPECT_EQ(cancelled, 3);
}

TEST_F(MemoryStreamTest, ADeadlineClosesItsStreamAndExplainsTheError) {
  connect();
  const auto ask = [this]() -> Task<Result<std::string>> {
    const Deadline deadline(world.loop, world.loop.now(), world.loop.in(5s), *near);
    auto piece = co_await read_piece(*near);
    EXPECT_TRUE(deadline.passed());
    co_return deadline.explain(std::move(piece).error(), "peer:80");
  };
  const auto answer = world.run(ask());
  EXPECT_EQ(answer.error().to_string(), "lost: no answer from peer:80 within 5 s");
  EXPECT_EQ(*world.run(read_to_end(*far)), "") << "the peer sees the end";
}

TEST_F(MemoryStreamTest, ADeadlineThatDoesNotPassChangesNothing) {
  connect();
  {
    const Deadline deadline(world.loop, world.loop.now(), world.loop.in(5s), *near);
    EXPECT_EQ(deadline.explain(base::Error(Kind::lost, "reset"), "peer").message(), "reset");
  }
  world.loop.run_virtual(world.clock, Instant(10s));
  EXPECT_TRUE(near->looks_alive());
}

TEST(Deadline, FormatsDurations) {
  EXPECT_EQ(duration_text(5s), "5 s");
  EXPECT_EQ(duration_text(1500ms), "1.5 s");
  EXPECT_EQ(duration_text(250ms), "250 ms");
  EXPECT_EQ(duration_text(0s), "0 ms");
  EXPECT_EQ(duration_text(-5s), "0 ms");
  EXPECT_EQ(duration_text(90s), "90 s");
}

}  // namespace
}  // namespace net::inline transport
