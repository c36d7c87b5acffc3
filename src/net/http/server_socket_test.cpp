// SPDX-License-Identifier: Apache-2.0
// The server on real sockets, with and without TLS.
#include "net/http/client.h"
#include "net/http/server.h"
#include "net/testing/http.h"
#include "net/testing/loop.h"
#include "net/testing/tls.h"
#include "net/transport/acceptor.h"
#include "net/transport/server_certificate.h"
#include "net/transport/url.h"

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace net {
namespace {

using base::Kind;
using base::Result;
using http::Answer;
using http::BodyWriter;
using http::Request;
using http::Response;
using testing::CertificateOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Identity;
using testing::make_identity;
using testing::RawClient;
using testing::RealWorld;
using ::testing::StartsWith;
using namespace std::chrono_literals;

constexpr auto kLong = 60s;
const ListenAddress kLoopback{"127.0.0.1", 0};

Identity issue(const std::string& name, const Identity* issuer) {
  CertificateOptions options;
  options.name = name;
  options.names = "IP:127.0.0.1";
  options.authority = issuer == nullptr;
  return make_identity(options, issuer);
}

class HttpServerSocketTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own writes
    rlimit files{};                 // both ends of every connection are in this process
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }

  HttpServerSocketTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::path(::testing::TempDir()) /
             fmt::format("sb-{}-{}", test->name(), ::getpid());
    std::filesystem::create_directories(folder);
  }
  ~HttpServerSocketTest() override {
    world.run(server.stop(world.loop.now()));
    std::filesystem::remove_all(folder);
  }

  static Task<Answer> handle(Request request) {
    if (request.target == "/stream")
      co_return Answer(200, {}, [](BodyWriter& out) { return stream(out); });
    co_return Response(200, {}, "echo: " + request.body);
  }
  static Task<Result<void>> stream(BodyWriter& out) {
    for (;;) CO_TRY_VOID(co_await out.write(std::string(10'000, 'x')));
  }

  std::uint16_t listen() {
    auto acceptor = listen_tcp(world.loop, kLoopback);
    EXPECT_TRUE(acceptor.ok());
    const std::uint16_t port = (*acceptor)->port();
    server.accept_from(std::move(*acceptor));
    return port;
  }

  void write_file(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  void write_pair(const Identity& identity) const {
    write_file("tls.crt", identity.certificate);
    write_file("tls.key", identity.key);
  }
  std::shared_ptr<ServerCertificate> load() {
    auto loaded = ServerCertificate::load({folder / "tls.crt", folder / "tls.key"}, log);
    EXPECT_TRUE(loaded.ok()) << loaded.error().to_string();
    return *loaded;
  }
  std::uint16_t listen_with(const std::shared_ptr<ServerCertificate>& certificate) {
    auto acceptor = listen_tls(world.loop, kLoopback, certificate);
    EXPECT_TRUE(acceptor.ok());
    const std::uint16_t port = (*acceptor)->port();
    server.accept_from(std::move(*acceptor));
    return port;
  }

  HttpClient client_for(std::uint16_t port, const TlsOptions* tls) {
    Url url;
    url.tls = tls != nullptr;
    url.host = "127.0.0.1";
    url.port = port;
    auto connector = make_connector(world.loop, url, tls != nullptr ? *tls : TlsOptions());
    EXPECT_TRUE(connector.ok());
    return HttpClient(world.loop, std::move(*connector), {url.authority(), "test"});
  }
  std::string ask(HttpClient& client, const std::string& text) {
    const auto answer = world.run(client.send(Request("POST", "/", text), world.loop.in(kLong)));
    return answer.ok() ? answer->body : answer.error().to_string();
  }
  // A client that trusts only this authority.
  std::string ask_tls(std::uint16_t port, const Identity& authority) {
    TlsOptions tls;
    tls.ca = authority.certificate;
    HttpClient client = client_for(port, &tls);
    return ask(client, "hi");
  }

  // Runs until the condition holds or the timeout passes.
  void eventually(std::function<bool()> condition) { world.run(wait_for(std::move(condition))); }
  Task<void> wait_for(std::function<bool()> condition) {
    const base::Instant patience = world.loop.in(kLong);
    while (!condition() && world.loop.now() < patience) (void)co_await world.loop.sleep_for(1ms);
  }

  std::filesystem::path folder;
  RealWorld world;
  std::vector<std::string> logged;
  base::Log log{[this](std::string_view line) { logged.emplace_back(line); },
                world.clock,
                base::LogFormat::json};
  HttpServer server{world.loop, handle, {}, log};
};

TEST_F(HttpServerSocketTest, AnswersOverPlainSocketsWithBodiesOfAnySize) {
  HttpClient client = client_for(listen(), nullptr);
  for (const std::size_t size : {0UL, 1UL, 100'000UL, 3'000'000UL}) {
    const std::string body(size, 'x');
    EXPECT_TRUE(ask(client, body) == "echo: " + body) << size;
  }
  EXPECT_EQ(client.idle(), 1U);
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(HttpServerSocketTest, AnswersOverTlsWithBodiesOfAnySize) {
  const Identity ca = issue("CA", nullptr);
  write_pair(issue("server", &ca));
  TlsOptions tls;
  tls.ca = ca.certificate;
  HttpClient client = client_for(listen_with(load()), &tls);
  for (const std::size_t size : {0UL, 1UL, 100'000UL, 3'000'000UL}) {
    const std::string body(size, 'x');
    EXPECT_TRUE(ask(client, body) == "echo: " + body) << size;
  }
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(HttpServerSocketTest, AStreamEndsWhenItsTlsClientDisconnects) {
  const Identity ca = issue("CA", nullptr);
  write_pair(issue("server", &ca));
  TlsOptions tls;
  tls.ca = ca.certificate;
  HttpClient client = client_for(listen_with(load()), &tls);
  {
    auto answer = world.run(client.open(Request("GET", "/stream"), world.loop.in(kLong)));
    ASSERT_TRUE(answer.ok()) << answer.error().to_string();
    std::string body;
    while (body.size() < 1'000'000) {
      ASSERT_TRUE(world.run(answer->body->read(body, world.loop.in(kLong))).ok());
    }
    EXPECT_EQ(server.connections(), 1U);
  }
  eventually([this] { return server.connections() == 0; });
  EXPECT_EQ(server.connections(), 0U);
}

// Returns the protocol chosen for a client that offers these, or why there is none.
struct Offer {
  std::string protocols;
  std::string chosen;
  std::string answer;
};

Offer offer(std::uint16_t port, std::string protocols) {
  Offer result{std::move(protocols), "", ""};
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* ssl = SSL_new(context);
  if (!result.protocols.empty())
    SSL_set_alpn_protos(ssl,
                        reinterpret_cast<const unsigned char*>(result.protocols.data()),
                        static_cast<unsigned>(result.protocols.size()));
  const testing::Socket socket = testing::connect_to(port);
  SSL_set_fd(ssl, socket.fd());
  if (SSL_connect(ssl) == 1) {
    const unsigned char* chosen = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl, &chosen, &size);
    result.chosen.assign(reinterpret_cast<const char*>(chosen), size);
    testing::tls_write(ssl, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    result.answer = testing::tls_read(ssl, 1000);
  } else {
    result.chosen = "refused";
  }
  SSL_free(ssl);
  SSL_CTX_free(context);
  return result;
}

TEST_F(HttpServerSocketTest, ProtocolsAreAgreedOnInTheHandshake) {
  write_pair(issue("server", nullptr));
  const std::uint16_t port = listen_with(load());
  const std::string h2("\x02h2", 3);
  const std::string http1("\x08http/1.1", 9);
  std::vector<Offer> offers;
  std::thread client([&] {
    for (const std::string& protocols : {std::string(), http1, h2 + http1, http1 + h2, h2})
      offers.push_back(offer(port, protocols));
    asio::post(world.loop.executor(), [this] { world.loop.stop(); });
  });
  world.loop.run();
  client.join();
  ASSERT_EQ(offers.size(), 5U);
  for (const Offer& one : offers) {
    if (one.protocols == h2) {
      EXPECT_EQ(one.chosen, "refused");
    } else {
      EXPECT_EQ(one.chosen, one.protocols.empty() ? "" : "http/1.1");
      EXPECT_THAT(one.answer, StartsWith("HTTP/1.1 200 OK"));
    }
  }
}

TEST_F(HttpServerSocketTest, ANewCertificateIsUsedWithoutARestart) {
  const Identity old_ca = issue("old", nullptr);
  const Identity new_ca = issue("new", nullptr);
  write_pair(issue("server", &old_ca));
  const auto certificate = load();
  const std::uint16_t port = listen_with(certificate);
  TlsOptions tls;
  tls.ca = old_ca.certificate;
  HttpClient kept = client_for(port, &tls);
  EXPECT_EQ(ask(kept, "hi"), "echo: hi");

  write_pair(issue("server", &new_ca));
  EXPECT_EQ(ask_tls(port, old_ca), "echo: hi") << "the file was not checked yet";
  TaskGroup looking(world.loop);
  looking.spawn("certificate", certificate->keep_fresh(world.loop, 1ms));
  eventually([this] { return !logged.empty(); });
  EXPECT_THAT(logged, ElementsAre(HasSubstr("using the new server certificate")));
  EXPECT_EQ(ask_tls(port, new_ca), "echo: hi");
  EXPECT_THAT(ask_tls(port, old_ca), HasSubstr("which is not a trusted authority"));
  EXPECT_EQ(ask(kept, "hi"), "echo: hi") << "an established connection is kept";
  looking.cancel();
  world.run(looking.join());
}

TEST_F(HttpServerSocketTest, AnIncompleteCertificateFileChangesNothing) {
  const Identity old_pair = issue("old", nullptr);
  const Identity new_pair = issue("new", nullptr);
  write_pair(old_pair);
  const auto certificate = load();
  const auto before = certificate->context();
  const auto look = [&] {
    certificate->reload();
    certificate->reload();
  };
  look();
  EXPECT_TRUE(logged.empty()) << "nothing changed";

  write_file("tls.crt", new_pair.certificate);
  look();
  EXPECT_THAT(logged,
              ElementsAre(HasSubstr("the server's private key does not belong to its certificate")))
      << "logged once";
  write_file("tls.key", new_pair.key.substr(0, 50));
  look();
  EXPECT_THAT(logged.back(), HasSubstr("is not an unencrypted PEM key"));
  std::filesystem::remove(folder / "tls.key");
  look();
  EXPECT_THAT(logged.back(), HasSubstr("No such file"));
  EXPECT_EQ(logged.size(), 3U);
  EXPECT_EQ(certificate->context(), before);

  write_file("tls.key", new_pair.key);
  look();
  EXPECT_EQ(logged.size(), 4U);
  EXPECT_THAT(logged.back(), HasSubstr("using the new server certificate"));
  EXPECT_NE(certificate->context(), before);
}

TEST_F(HttpServerSocketTest, AnUnusableCertificateIsReportedAtOnce) {
  const auto missing = ServerCertificate::load({folder / "no.crt", folder / "no.key"});
  EXPECT_EQ(missing.error().kind(), Kind::invalid);
  EXPECT_THAT(missing.error().message(), HasSubstr("no.crt"));
  write_file("tls.crt", issue("one", nullptr).certificate);
  write_file("tls.key", issue("two", nullptr).key);
  const auto mixed = ServerCertificate::load({folder / "tls.crt", folder / "tls.key"});
  EXPECT_THAT(mixed.error().message(), HasSubstr("tls.key: the server's private key does not"));
}

TEST_F(HttpServerSocketTest, AnAddressInUseIsReportedAtOnce) {
  const ListenAddress taken{"127.0.0.1", listen()};
  const auto second = listen_tcp(world.loop, taken);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().to_string(),
            fmt::format("invalid: cannot listen on {}: Address already in use", taken.to_string()));
}

// Sockets that send something and then nothing more.
class Crowd {
 public:
  void join(std::uint16_t port, std::string_view bytes) {
    sockets_.push_back(testing::connect_to(port));
    if (!bytes.empty()) sockets_.back().write(bytes);
  }

 private:
  std::vector<testing::Socket> sockets_;
};

class HttpServerCrowdTest : public HttpServerSocketTest,
                            public ::testing::WithParamInterface<std::size_t> {
 protected:
  static HttpServerLimits limits() {
    HttpServerLimits limits;
    limits.connections = GetParam();
    limits.header_time = kLong;  // timeouts do not help here
    limits.request_time = kLong;
    return limits;
  }
};

TEST_P(HttpServerCrowdTest, FiveHundredHalfOpenConnectionsDoNotDisturbAGoodClient) {
  HttpServer crowded(world.loop, handle, limits(), log);
  const Identity ca = issue("CA", nullptr);
  write_pair(issue("server", &ca));
  auto plain = listen_tcp(world.loop, kLoopback);
  auto secure = listen_tls(world.loop, kLoopback, load());
  const std::uint16_t plain_port = (*plain)->port();
  const std::uint16_t secure_port = (*secure)->port();
  crowded.accept_from(std::move(*plain));
  crowded.accept_from(std::move(*secure));
  TlsOptions tls;
  tls.ca = ca.certificate;
  HttpClient kept = client_for(plain_port, nullptr);
  HttpClient kept_secure = client_for(secure_port, &tls);

  // An endless body, sent as fast as it is accepted.
  world.tasks.spawn("endless", [this, plain_port]() -> Task<void> {
    TcpConnector connector(world.loop, "127.0.0.1", plain_port);
    auto stream = co_await connector.connect(world.loop.in(kLong));
    if (!stream.ok()) co_return;
    RawClient client(std::move(*stream));
    std::string bytes = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    while ((co_await client.send(bytes)).ok()) bytes = "1000\r\n" + std::string(4096, 'x') + "\r\n";
  });

  // The first bytes of a real client.
  const std::string half_hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  Crowd crowd;
  for (int i = 0; i < 500; ++i) {
    switch (i % 5) {
      case 0: crowd.join(plain_port, ""); break;
      case 1: crowd.join(secure_port, ""); break;
      case 2: crowd.join(secure_port, half_hello); break;
      case 3: crowd.join(plain_port, "GET / HTTP/1.1\r\nHos"); break;
      default:
        crowd.join(plain_port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf");
    }
    if (i % 25 != 24) continue;
    EXPECT_EQ(ask(kept, "hi"), "echo: hi") << i;
    EXPECT_EQ(ask(kept_secure, "hi"), "echo: hi") << i;
    HttpClient fresh = client_for(plain_port, nullptr);
    EXPECT_EQ(ask(fresh, "hi"), "echo: hi") << i;
    HttpClient fresh_secure = client_for(secure_port, &tls);
    EXPECT_EQ(ask(fresh_secure, "hi"), "echo: hi") << i;
    EXPECT_LE(crowded.connections(), GetParam() + 20) << "some may be closing";
  }
  world.run(crowded.stop(world.loop.now()));
}

INSTANTIATE_TEST_SUITE_P(WithPlaces, HttpServerCrowdTest, ::testing::Values(40, 1024));

}  // namespace
}  // namespace net
