// SPDX-License-Identifier: Apache-2.0
// Clients that reach a server through a small proxy in a separate thread.
#include "net/http/client.h"
#include "net/testing/loop.h"
#include "net/testing/tls.h"
#include "net/transport/connector.h"
#include "net/transport/url.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <poll.h>
#include <string>
#include <thread>

namespace net::inline transport {
namespace {

using base::Kind;
using base::Result;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Listener;
using testing::make_identity;
using ::testing::Not;
using testing::RealWorld;
using testing::Socket;
using ::testing::StartsWith;
using testing::TlsServer;
using namespace std::chrono_literals;

constexpr auto kLong = 60s;

// Accepts one connection, reads the header of one request and sends the answer that the test
// defines; then copies bytes both ways between its client and a port of this machine, if one is
// set.
class SmallProxy {
 public:
  explicit SmallProxy(std::string answer, std::uint16_t leads_to = 0)
      : answer_(std::move(answer)), leads_to_(leads_to), thread_([this] { serve(); }) {}
  ~SmallProxy() {
    listener_.stop();
    if (thread_.joinable()) thread_.join();
  }

  // Returns the request that it received; waits for the end of the connection.
  std::string asked() {
    thread_.join();
    return asked_;
  }
  ProxySettings settings(const std::string& user = "") const {
    const std::string address = fmt::format("http://{}127.0.0.1:{}", user, listener_.port());
    return {address, address, ""};
  }
  std::string name() const { return fmt::format("127.0.0.1:{}", listener_.port()); }

 private:
  void serve() {
    const Socket client = listener_.accept();
    if (client.fd() < 0) return;
    while (!asked_.ends_with("\r\n\r\n")) {
      const std::string byte = client.read(1);
      if (byte.empty()) return;
      asked_ += byte;
    }
    client.write(answer_);
    if (leads_to_ == 0) return;
    const Socket server = testing::connect_to(leads_to_);
    std::array<pollfd, 2> ready{pollfd{client.fd(), POLLIN, 0}, pollfd{server.fd(), POLLIN, 0}};
    while (::poll(ready.data(), ready.size(), -1) > 0) {
      for (std::size_t i = 0; i < 2; ++i) {
        if (ready[i].revents == 0) continue;
        std::array<char, 4096> bytes{};
        const auto n = ::recv(ready[i].fd, bytes.data(), bytes.size(), 0);
        if (n <= 0) return;
        (void)::send(ready[1 - i].fd, bytes.data(), static_cast<std::size_t>(n), MSG_NOSIGNAL);
      }
    }
  }

  std::string answer_;
  std::uint16_t leads_to_;
  std::string asked_;
  Listener listener_;
  std::thread thread_;
};

class ProxyConnectTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  Result<http::Response> get(const std::string& address,
                             const TlsOptions& tls,
                             const ProxySettings& proxies,
                             base::Duration patience = kLong) {
    const Url url = *parse_url(address);
    auto connector = make_connector(world.loop, url, tls, proxies);
    if (!connector.ok()) return std::move(connector).error();
    HttpClient client(world.loop, std::move(*connector), {url.authority(), "test"});
    return world.run(client.send(http::Request("GET", "/path?q"), world.loop.in(patience)));
  }

  RealWorld world;
};

TEST_F(ProxyConnectTest, HttpRequestsContainTheirOrigin) {
  SmallProxy proxy("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
  const auto answer =
      get("http://slurm.example:6820", {}, proxy.settings("Aladdin:open%20sesame@"));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->body, "hi");
  EXPECT_EQ(proxy.asked(),
            "GET http://slurm.example:6820/path?q HTTP/1.1\r\nHost: slurm.example:6820\r\n"
            "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\nUser-Agent: test\r\n\r\n");
}

TEST_F(ProxyConnectTest, HttpsGoesThroughATunnelAndTheServerIsVerified) {
  testing::CertificateOptions certificate;
  certificate.names = "DNS:api.example";
  TlsServer::Options options;
  options.identity = make_identity(certificate, nullptr);
  options.talk = [](SSL* ssl) {
    std::string request;
    while (!request.ends_with("\r\n\r\n")) request += testing::tls_read(ssl, 1);
    EXPECT_THAT(request,
                AllOf(StartsWith("GET /path?q HTTP/1.1\r\nHost: api.example:6443\r\n"),
                      Not(HasSubstr("Proxy-Authorization"))));
    testing::tls_write(ssl, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    testing::tls_read(ssl, 1);
  };
  TlsServer server(options);
  SmallProxy proxy("HTTP/1.1 200 Connection established\r\nVia: small\r\n\r\n", server.port());
  TlsOptions tls;
  tls.ca = options.identity.certificate;
  const auto answer = get("https://api.example:6443", tls, proxy.settings("user:pass@"));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->body, "hi");
  EXPECT_EQ(proxy.asked(),
            "CONNECT api.example:6443 HTTP/1.1\r\nHost: api.example:6443\r\n"
            "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\n");
  server.wait();
  EXPECT_EQ(server.server_name, "api.example");
}

TEST_F(ProxyConnectTest, ATunnelDoesNotReplaceVerification) {
  testing::CertificateOptions certificate;
  certificate.names = "DNS:other.example";
  TlsServer::Options options;
  options.identity = make_identity(certificate, nullptr);
  TlsServer server(options);
  SmallProxy proxy("HTTP/1.1 200 OK\r\n\r\n", server.port());
  TlsOptions tls;
  tls.ca = options.identity.certificate;
  const auto answer = get("https://api.example", tls, proxy.settings());
  EXPECT_THAT(answer.error().message(), HasSubstr("not for \"api.example\""));
}

TEST_F(ProxyConnectTest, ARejectionByTheProxyIsUnreachableWithItsReason) {
  struct Row {
    std::string answer;
    std::string reason;
  };
  const Row rows[] = {
      {"HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!", "the proxy answered 403"},
      {"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
       "the proxy requires a user and password (407)"},
      {"", "the proxy closed the connection"},
      {"SSH-2.0-OpenSSH_9.2p1\r\n\r\n\r\n", "not valid HTTP"},
      {"HTTP/1.1 200 OK\r\nA: " + std::string(20'000, 'x'), "header is larger"},
  };
  for (const Row& row : rows) {
    SmallProxy proxy(row.answer);
    const auto answer = get("https://api.example", {}, proxy.settings("user:secret@"));
    ASSERT_FALSE(answer.ok()) << row.reason;
    EXPECT_EQ(answer.error().kind(), Kind::unreachable);
    EXPECT_THAT(answer.error().message(),
                StartsWith("cannot connect to api.example:443: proxy " + proxy.name() + ": "));
    EXPECT_THAT(answer.error().message(), HasSubstr(row.reason));
    EXPECT_THAT(answer.error().message(), Not(HasSubstr("secret")));
  }
}

TEST_F(ProxyConnectTest, ASilentProxyIsUnreachableAtTheDeadline) {
  const Listener silent;
  const ProxySettings settings{"", fmt::format("127.0.0.1:{}", silent.port()), ""};
  const auto answer = get("https://api.example", {}, settings, 30ms);
  EXPECT_EQ(answer.error().kind(), Kind::unreachable);
  EXPECT_THAT(answer.error().message(), HasSubstr("no answer within "));
}

TEST_F(ProxyConnectTest, CancellingEndsTheSetupOfATunnel) {
  const Listener silent;
  const ProxySettings settings{"", fmt::format("127.0.0.1:{}", silent.port()), ""};
  auto connector = make_connector(world.loop, *parse_url("https://api.example"), {}, settings);
  TaskGroup group(world.loop);
  Kind kind{};
  group.spawn("connector", [&]() -> Task<void> {
    kind = (co_await (*connector)->connect(world.loop.in(kLong))).error().kind();
  });
  const Timer cancel = world.loop.timers().arm(world.loop.in(20ms), [&] { group.cancel(); });
  world.run(group.join());
  EXPECT_EQ(kind, Kind::cancelled);
}

TEST_F(ProxyConnectTest, AnExcludedHostIsReachedDirectly) {
  const ProxySettings settings{"proxy.invalid:1", "", "10.0.0.0/8"};
  const auto answer =
      get(fmt::format("http://127.0.0.1:{}", Listener::unused_port()), {}, settings);
  EXPECT_THAT(answer.error().message(), HasSubstr("cannot connect to 127.0.0.1:"));
  const auto wrong = get("https://api.example", {}, {"", "socks5://proxy:1080", ""});
  EXPECT_EQ(wrong.error().to_string(), "invalid: HTTPS_PROXY: only http:// proxies can be used");
}

}  // namespace
}  // namespace net::inline transport
