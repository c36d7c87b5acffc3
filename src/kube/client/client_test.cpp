// SPDX-License-Identifier: Apache-2.0
#include "kube/client/client.h"

#include "kube/auth/connect.h"
#include "net/testing/loop.h"
#include "net/testing/socket.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

namespace kube::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

// Answers 401 to every token but one.
class Doorman final : public net::http::Transport {
 public:
  net::Task<Result<Response>> send(Request request, base::Instant) override {
    co_return Response(status(request), {}, "{}");
  }
  net::Task<Result<StreamingResponse>> open(Request request, base::Instant) override {
    class Nothing final : public net::http::Body {
      net::Task<Result<std::size_t>> read(std::string&, base::Instant) override { co_return 0U; }
    };
    co_return StreamingResponse(status(request), {}, std::make_unique<Nothing>());
  }
  std::string wanted;
  std::vector<std::string> shown;

 private:
  int status(const Request& request) {
    shown.emplace_back(request.header("Authorization").value_or(""));
    return shown.back() == "Bearer " + wanted ? 200 : 401;
  }
};

struct ClientTest : ::testing::Test {
  ClientTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-client-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~ClientTest() override { std::filesystem::remove_all(folder); }
  void rotate(std::string_view token) const {
    std::ofstream(folder / "fresh") << token;
    std::filesystem::rename(folder / "fresh", folder / "token");
  }

  std::filesystem::path folder;
  net::testing::VirtualWorld world;
  Doorman door;
};

TEST_F(ClientTest, After401TheTokenFileIsReadAgainBeforeTheNextCall) {
  rotate("old");
  Credentials credentials = Credentials::from_file(folder / "token", world.clock);
  Client client(door, credentials);
  door.wanted = "old";
  EXPECT_TRUE(world.run(client.get("/", base::kNever)).ok());
  rotate("new");
  door.wanted = "new";
  const auto refused = world.run(client.get("/", base::kNever));
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().is(Kind::unauthorized));
  EXPECT_TRUE(world.run(client.get("/", base::kNever)).ok());
  EXPECT_THAT(door.shown, ElementsAre("Bearer old", "Bearer old", "Bearer new"));
}

TEST_F(ClientTest, A401ToAWatchDoesTheSame) {
  rotate("old");
  Credentials credentials = Credentials::from_file(folder / "token", world.clock);
  Client client(door, credentials);
  door.wanted = "old";
  EXPECT_TRUE(world.run(client.get("/", base::kNever)).ok());
  rotate("new");
  door.wanted = "new";
  EXPECT_FALSE(world.run(client.stream("/", base::kNever)).ok());
  EXPECT_TRUE(world.run(client.stream("/", base::kNever)).ok());
}

TEST_F(ClientTest, ATokenRotatesWithoutA401) {
  rotate("old");
  Credentials credentials = Credentials::from_file(folder / "token", world.clock);
  Client client(door, credentials);
  door.wanted = "old";
  EXPECT_TRUE(world.run(client.get("/", base::kNever)).ok());
  rotate("newer");
  door.wanted = "newer";
  (void)world.run(world.loop.sleep_for(net::TokenFile::kCheckInterval));
  EXPECT_TRUE(world.run(client.get("/", base::kNever)).ok());
}

TEST_F(ClientTest, WithoutATokenNothingIsSent) {
  Credentials credentials = Credentials::from_file(folder / "token", world.clock);
  Client client(door, credentials);
  const auto outcome = world.run(client.get("/", base::kNever));
  ASSERT_FALSE(outcome.ok());
  EXPECT_TRUE(outcome.error().is(Kind::unauthorized));
  EXPECT_THAT(outcome.error().message(), HasSubstr(folder / "token"));
  EXPECT_TRUE(door.shown.empty());
}

// Answers every request of every connection with 200, in a thread.
class PlainServer {
 public:
  PlainServer() : thread_([this] { accept_all(); }) {}
  ~PlainServer() { (void)requests(); }

  std::uint16_t port() const { return listener_.port(); }
  // "CONNECTION: REQUEST LINE" of each request. Expects that the client is destroyed; ends the
  // server.
  const std::vector<std::string>& requests() {
    listener_.stop();
    if (thread_.joinable()) thread_.join();
    return requests_;
  }

 private:
  void accept_all() {
    std::vector<std::thread> served;
    for (;;) {
      net::testing::Socket socket = listener_.accept();
      if (socket.fd() < 0) break;
      const int number = static_cast<int>(served.size());
      served.emplace_back([this, number, kept = std::move(socket)] { serve(number, kept); });
    }
    for (std::thread& one : served) one.join();
  }
  void serve(int number, const net::testing::Socket& socket) {
    std::string text;
    for (;;) {
      const std::string byte = socket.read(1);
      if (byte.empty()) return;
      text += byte;
      if (!text.ends_with("\r\n\r\n")) continue;
      const std::lock_guard lock(mutex_);
      requests_.push_back(fmt::format("{}: {}", number, text.substr(0, text.find("\r\n"))));
      text.clear();
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    }
  }

  net::testing::Listener listener_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

TEST(Connect, ThePathOfTheServerPrefixesEveryTarget) {
  PlainServer server;
  {
    net::testing::RealWorld world;
    ClusterConfig config;
    config.server = fmt::format("http://127.0.0.1:{}/k8s/clusters/c-1/", server.port());
    Credentials credentials = config.credentials(world.loop);
    auto transport = connect(world.loop, config, credentials, "test");
    ASSERT_TRUE(transport.ok()) << transport.error().message();
    Client client(**transport, credentials);
    EXPECT_TRUE(world.run(client.get("/api/v1/pods?limit=1", world.loop.in(10s))).ok());
    EXPECT_TRUE(world.run(client.stream("/api/v1/pods?watch=1", world.loop.in(10s))).ok());
  }
  EXPECT_THAT(server.requests(),
              ElementsAre("0: GET /k8s/clusters/c-1/api/v1/pods?limit=1 HTTP/1.1",
                          "0: GET /k8s/clusters/c-1/api/v1/pods?watch=1 HTTP/1.1"));
}

TEST(Connect, AnInvalidAddressIsNamedInTheError) {
  net::testing::RealWorld world;
  ClusterConfig config;
  config.server = "127.0.0.1:6443";
  const auto transport = connect(world.loop, config, Credentials(), "test");
  ASSERT_FALSE(transport.ok());
  EXPECT_THAT(transport.error().message(), HasSubstr("the API server's address"));
}

// The certificate that a server sees is tested with a real API server; this tests that a new
// certificate causes a new connection and the same one does not.
TEST(Connect, ANewCertificateOfThePluginCausesANewConnection) {
  std::string pattern = (std::filesystem::temp_directory_path() / "sb-connect-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::ofstream(folder / "plugin") << fmt::format(
      R"(#!/bin/sh
echo x >>{0}/runs
echo '{{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{{"clientKeyData":"K",'
echo '"clientCertificateData":"C'$(wc -l <{0}/runs)'","expirationTimestamp":"2001-01-01T00:00:00Z"}}}}'
)",
      folder.string());
  std::filesystem::permissions(folder / "plugin", std::filesystem::perms::owner_all);

  PlainServer server;
  {
    struct Ahead final : base::Clock {
      base::Instant now() const override { return real.now() + ahead; }
      base::WallTime wall() const override { return real.wall(); }
      base::RealClock real;
      base::Duration ahead{};
    };
    net::testing::World<Ahead> world;
    ClusterConfig config;
    config.server = fmt::format("http://127.0.0.1:{}", server.port());
    config.exec = ExecSpec{.api_version = std::string(kExecV1), .command = folder / "plugin"};
    Credentials credentials = config.credentials(world.loop);
    auto transport = connect(world.loop, config, credentials, "test");
    ASSERT_TRUE(transport.ok()) << transport.error().message();
    Client client(**transport, credentials);
    const auto get = [&](std::string target) {
      const auto answer = world.run(client.get(std::move(target), world.loop.in(20s)));
      EXPECT_TRUE(answer.ok()) << answer.error().to_string();
    };
    get("/a");
    get("/b");
    world.clock.ahead += ExecPlugin::kPause;
    get("/c");
  }
  EXPECT_THAT(server.requests(),
              ElementsAre("0: GET /a HTTP/1.1", "0: GET /b HTTP/1.1", "1: GET /c HTTP/1.1"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace kube::inline client
