// SPDX-License-Identifier: Apache-2.0
#include "net/http/idle_connections.h"

#include "net/testing/loop.h"

#include <gtest/gtest.h>

#include <vector>

namespace net {
namespace {

using namespace std::chrono_literals;

struct IdleConnectionsTest : ::testing::Test {
  // Adds a new connection and remembers which one it was.
  Stream* put(IdleConnections& idle) {
    auto [near, far] = memory_stream_pair(world.loop);
    Stream* stream = near.get();
    peers.push_back(std::move(far));
    idle.put(std::move(near));
    return stream;
  }

  testing::VirtualWorld world;
  std::vector<std::unique_ptr<Stream>> peers;
};

TEST_F(IdleConnectionsTest, TheMostRecentlyUsedIsReturnedFirst) {
  IdleConnections idle(world.clock, 8, 60s);
  Stream* a = put(idle);
  Stream* b = put(idle);
  EXPECT_EQ(idle.take().get(), b);
  EXPECT_EQ(idle.take().get(), a);
  EXPECT_EQ(idle.take(), nullptr);
}

TEST_F(IdleConnectionsTest, AboveTheLimitTheOldestIsClosed) {
  IdleConnections idle(world.clock, 2, 60s);
  put(idle);
  Stream* b = put(idle);
  Stream* c = put(idle);
  EXPECT_FALSE(peers[0]->looks_alive()) << "it was closed";
  EXPECT_EQ(idle.take().get(), c);
  EXPECT_EQ(idle.take().get(), b);
  EXPECT_EQ(idle.take(), nullptr);

  IdleConnections none(world.clock, 0, 60s);
  put(none);
  EXPECT_EQ(none.take(), nullptr);
}

TEST_F(IdleConnectionsTest, ClosedAndExpiredConnectionsAreDropped) {
  IdleConnections idle(world.clock, 8, 60s);
  put(idle);
  world.clock.advance_to(world.loop.in(50s));
  Stream* b = put(idle);
  put(idle);
  peers[2]->close();
  world.clock.advance_to(world.loop.in(20s));
  EXPECT_EQ(idle.take().get(), b);
  EXPECT_EQ(idle.take(), nullptr) << "70 s is too long";
  EXPECT_EQ(idle.size(), 0U);
}

}  // namespace
}  // namespace net
