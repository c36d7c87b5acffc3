// SPDX-License-Identifier: Apache-2.0
// 10.4z: v0.0.44 only. Configuration at run time: i031.
#include "net/testing/loop.h"
#include "slurm/client/client.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

namespace slurm {
namespace {

TEST(Weakness104z, SpeaksTheNewestVersionThatBothKnow) {
  for (const ApiVersionEntry& entry : kApiVersions) {
    const std::string_view version = entry.name;
    net::testing::VirtualWorld world;
    testing::ScriptedTransport server(world.loop, [&](const net::http::Request& request) {
      const bool served = request.target.contains(version);
      return testing::ScriptedTransport::Reply{served ? testing::sample("ping")
                                                      : testing::sample("err-future-api-version")};
    });
    TokenSource tokens = TokenSource::fixed(base::Secret("t"));
    Client client(world.loop, server, tokens);
    const auto found = world.run(client.discover(world.clock.now() + std::chrono::seconds(5)));
    ASSERT_TRUE(found.ok()) << version << ": " << found.error().to_string();
    EXPECT_TRUE(server.calls.back().request.target.contains(version));
  }
}

}  // namespace
}  // namespace slurm
