// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/connect.h"

#include "net/http/server.h"
#include "net/testing/loop.h"
#include "net/transport/acceptor.h"

#include <gtest/gtest.h>

namespace kube::inline auth {
namespace {

using net::http::Request;
using namespace std::chrono_literals;

net::Task<net::http::Answer> echo(std::string text) {
  co_return net::http::Answer(net::http::Response(200, {}, std::move(text)));
}

TEST(Connect, RequestsUseTheConfiguredProxy) {
  net::testing::RealWorld world;
  net::HttpServer proxy(world.loop, [](const Request& request) { return echo(request.target); });
  auto acceptor = net::listen_tcp(world.loop, {"127.0.0.1", 0});
  ASSERT_TRUE(acceptor.ok());
  ClusterConfig config;
  config.server = "http://kube.invalid:8080/prefix";
  config.proxies.http = "http://127.0.0.1:" + std::to_string((*acceptor)->port());
  proxy.accept_from(std::move(*acceptor));

  const auto transport = connect(world.loop, config, Credentials(), "test");
  ASSERT_TRUE(transport.ok());
  const auto answer = world.run((*transport)->send(Request("GET", "/version"), world.loop.in(10s)));
  EXPECT_TRUE(answer.ok() && answer->body.contains("/prefix/version"))
      << (answer.ok() ? answer->body : answer.error().to_string());
  world.run(proxy.stop(world.loop.in(1s)));
}

TEST(Connect, AnInvalidProxyIsAnErrorAtOnce) {
  net::testing::RealWorld world;
  ClusterConfig config;
  config.server = "https://kube.invalid:6443";
  config.proxies.https = "socks5://proxy";
  EXPECT_FALSE(connect(world.loop, config, Credentials(), "test").ok());
}

}  // namespace
}  // namespace kube::inline auth
