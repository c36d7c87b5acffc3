// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-bridge supported v0.0.44 only.
#include "net/testing/loop.h"
#include "slurm/client/client.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

namespace slurm {
namespace {

TEST(SlurmApiVersions, TheNewestCommonVersionIsUsed) {
  for (const char* version : {"v0.0.43", "v0.0.44", "v0.0.45"}) {
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
