// SPDX-License-Identifier: Apache-2.0
// SlinkyProject/slurm-operator#240: the token was not renewed; every call was refused with 401,
// also after there was a new token.
#include "net/testing/loop.h"
#include "slurm/client/client.h"
#include "slurm/testing/transport.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace issues {
namespace {

using net::http::Request;
using net::http::Response;
using namespace std::chrono_literals;

bool carries(const Request& request, const std::string& token) {
  return std::ranges::any_of(request.headers, [&](const auto& header) {
    return header.name == "X-SLURM-USER-TOKEN" && header.value == token;
  });
}

TEST(TokenRenewal, ANewTokenIsReadFromItsFileWithoutARestart) {
  const std::string file = ::testing::TempDir() + fmt::format("issue-240-{}.token", ::getpid());
  const auto write = [&](const char* text) { std::ofstream(file) << text; };
  write("SLURM_JWT=old\n");

  std::string accepted = "old";
  net::testing::VirtualWorld world;
  slurm::testing::ScriptedTransport transport(world.loop, [&](const Request& request) {
    const Response pong(200, {}, R"({"pings":[{"hostname":"c","responding":true}],"errors":[]})");
    const Response refused(401, {}, "Authentication failure");
    return slurm::testing::ScriptedTransport::Reply{carries(request, accepted) ? pong : refused,
                                                    1ms};
  });
  slurm::TokenSource tokens = slurm::TokenSource::from_file(file, world.clock);
  slurm::Client client(world.loop, transport, tokens);
  const auto ping = [&] { return world.run(client.ping(world.loop.in(1s))); };
  EXPECT_TRUE(ping().ok());

  accepted = "new";  // the old one has expired
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ping().error().is(base::Kind::unauthorized));
  write("SLURM_JWT=new\n");
  EXPECT_TRUE(ping().ok()) << "the next call";
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace issues
