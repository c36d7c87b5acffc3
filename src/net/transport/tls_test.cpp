// SPDX-License-Identifier: Apache-2.0
#include "net/transport/tls.h"

#include "net/http/client.h"
#include "net/testing/loop.h"
#include "net/testing/tls.h"
#include "net/transport/connector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <string>

namespace net::inline transport {
namespace {

using base::Kind;
using base::Result;
using base::Secret;
using testing::CertificateOptions;
using ::testing::HasSubstr;
using testing::Identity;
using testing::Listener;
using testing::make_identity;
using testing::RealWorld;
using testing::Socket;
using testing::tls_read;
using testing::tls_write;
using testing::TlsServer;
using namespace std::chrono_literals;

constexpr auto kLong = 60s;

Task<Result<std::string>> read_piece(Stream& stream) {
  std::array<char, 64> buffer{};
  CO_TRY(const std::size_t n, co_await stream.read_some(asio::buffer(buffer)));
  co_return std::string(buffer.data(), n);
}

Identity authority(std::string name) {
  CertificateOptions options;
  options.name = std::move(name);
  options.authority = true;
  return make_identity(options, nullptr);
}

struct TlsTest : ::testing::Test {
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }  // OpenSSL's own writes

  Identity server_identity(std::string names) const {
    CertificateOptions options;
    options.name = "server";
    options.names = std::move(names);
    return make_identity(options, &ca);
  }
  TlsOptions trusting() const {
    TlsOptions options;
    options.ca = ca.certificate;
    return options;
  }
  Result<std::unique_ptr<Stream>> connect(std::uint16_t port,
                                          const TlsOptions& options,
                                          base::Duration patience = kLong) {
    auto context = TlsContext::for_client(options);
    EXPECT_TRUE(context.ok()) << context.error().to_string();
    TlsConnector connector(world.loop, "127.0.0.1", port, std::move(*context));
    return world.run(connector.connect(world.loop.in(patience)));
  }
  std::string refusal(TlsServer::Options server_options, const TlsOptions& options) {
    TlsServer server(std::move(server_options));
    auto stream = connect(server.port(), options);
    EXPECT_FALSE(stream.ok());
    if (stream.ok()) return "";
    EXPECT_EQ(stream.error().kind(), Kind::unreachable);
    EXPECT_THAT(stream.error().message(),
                HasSubstr("cannot connect to 127.0.0.1:" + std::to_string(server.port())));
    server.wait();
    EXPECT_FALSE(server.accepted);
    return stream.error().message();
  }

  const Identity ca = authority("Test CA");
  RealWorld world;
};

TEST_F(TlsTest, VerifiesAServerByItsAddressAndExchangesData) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsServer::Options options;
    options.identity = server_identity("DNS:other.example,IP:127.0.0.1");
    options.highest_version = version;
    options.talk = [](SSL* ssl) {
      EXPECT_EQ(tls_read(ssl, 5), "hello");
      tls_write(ssl, "good day");
      tls_read(ssl, 1);  // until the client disconnects
    };
    TlsServer server(options);
    {
      auto stream = connect(server.port(), trusting());
      ASSERT_TRUE(stream.ok()) << stream.error().to_string();
      EXPECT_TRUE(world.run((*stream)->write(asio::buffer("hello", 5))).ok());
      EXPECT_EQ(*world.run(read_piece(**stream)), "good day");
      EXPECT_TRUE((*stream)->looks_alive());
    }
    server.wait();
    EXPECT_EQ(server.server_name, "") << "an address is not sent as SNI";
    EXPECT_EQ(server.protocol, "http/1.1");
    EXPECT_EQ(server.version, version == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2");
  }
}

TEST_F(TlsTest, AConfiguredServerNameIsSentAndVerified) {
  TlsServer::Options server_options;
  server_options.identity = server_identity("DNS:*.cluster.example");
  TlsServer server(server_options);
  TlsOptions options = trusting();
  options.server_name = "api.cluster.example";
  auto stream = connect(server.port(), options);
  EXPECT_TRUE(stream.ok()) << stream.error().to_string();
  server.wait();
  EXPECT_EQ(server.server_name, "api.cluster.example");
}

TEST_F(TlsTest, RejectsACertificateForAnotherHost) {
  TlsServer::Options options;
  options.identity = server_identity("DNS:other.example,IP:10.0.0.1,IP:::1");
  EXPECT_THAT(refusal(options, trusting()),
              HasSubstr("its certificate is for \"other.example\", 10.0.0.1, ::1, "
                        "not for \"127.0.0.1\""));
  TlsOptions named = trusting();
  named.server_name = "api.example";
  EXPECT_THAT(refusal(options, named), HasSubstr("not for \"api.example\""));
}

TEST_F(TlsTest, ACommonNameIsIgnored) {
  TlsServer::Options options;
  options.identity = server_identity("");
  TlsOptions named = trusting();
  named.server_name = "server";
  EXPECT_THAT(refusal(options, named), HasSubstr("its certificate is for no name at all"));
}

TEST_F(TlsTest, RejectsAnUnknownAuthority) {
  TlsServer::Options options;
  options.identity = server_identity("IP:127.0.0.1");
  TlsOptions trusting_others;
  trusting_others.ca = authority("Other CA").certificate;
  EXPECT_THAT(
      refusal(options, trusting_others),
      HasSubstr("its certificate is signed by \"Test CA\", which is not a trusted authority"));
  EXPECT_THAT(refusal(options, TlsOptions()), HasSubstr("signed by \"Test CA\""))
      << "the system does not trust it either";
}

TEST_F(TlsTest, RejectsACertificateOutsideItsValidity) {
  CertificateOptions past;
  past.names = "IP:127.0.0.1";
  past.valid_from = -3h;
  past.valid_until = -2h;
  TlsServer::Options options;
  options.identity = make_identity(past, &ca);
  EXPECT_THAT(refusal(options, trusting()), HasSubstr("its certificate expired on "));

  CertificateOptions future = past;
  future.valid_from = 2h;
  future.valid_until = 3h;
  options.identity = make_identity(future, &ca);
  EXPECT_THAT(refusal(options, trusting()), HasSubstr("its certificate is not valid before "));
}

TEST_F(TlsTest, AnIntermediateAuthorityAloneCanBeTrusted) {
  CertificateOptions middle;
  middle.name = "Intermediate";
  middle.authority = true;
  const Identity intermediate = make_identity(middle, &ca);
  CertificateOptions leaf;
  leaf.names = "IP:127.0.0.1";
  TlsServer::Options server_options;
  server_options.identity = make_identity(leaf, &intermediate);
  TlsServer server(server_options);
  TlsOptions options;
  options.ca = intermediate.certificate;
  const auto stream = connect(server.port(), options);
  EXPECT_TRUE(stream.ok()) << stream.error().to_string();
}

TEST_F(TlsTest, InsecureAcceptsAnyServer) {
  TlsServer::Options server_options;
  server_options.identity = make_identity({}, nullptr);
  TlsServer server(server_options);
  TlsOptions options;
  options.insecure = true;
  const auto stream = connect(server.port(), options);
  EXPECT_TRUE(stream.ok()) << stream.error().to_string();
}

TEST_F(TlsTest, TheServerSeesTheClientsCertificate) {
  CertificateOptions client;
  client.name = "system:node:n1";
  const Identity identity = make_identity(client, &ca);
  TlsServer::Options server_options;
  server_options.identity = server_identity("IP:127.0.0.1");
  server_options.client_ca = ca.certificate;
  TlsServer server(server_options);
  TlsOptions options = trusting();
  options.certificate = identity.certificate + ca.certificate;  // with its chain
  options.private_key = Secret(identity.key);
  const auto stream = connect(server.port(), options);
  EXPECT_TRUE(stream.ok()) << stream.error().to_string();
  server.wait();
  EXPECT_EQ(server.client_name, "system:node:n1");
}

TEST_F(TlsTest, AMissingClientCertificateIsReported) {
  TlsServer::Options server_options;
  server_options.identity = server_identity("IP:127.0.0.1");
  server_options.client_ca = ca.certificate;
  server_options.highest_version = TLS1_2_VERSION;
  EXPECT_THAT(refusal(server_options, trusting()), HasSubstr("TLS handshake: "));

  // In TLS 1.3 the client is connected before the server verifies the client.
  server_options.highest_version = TLS1_3_VERSION;
  TlsServer server(server_options);
  auto stream = connect(server.port(), trusting());
  ASSERT_TRUE(stream.ok()) << stream.error().to_string();
  const auto piece = world.run(read_piece(**stream));
  EXPECT_EQ(piece.error().kind(), Kind::lost);
  EXPECT_THAT(piece.error().message(), HasSubstr("certificate required"));
}

TEST_F(TlsTest, APlainServerIsRecognised) {
  const Listener listener;
  const std::jthread server([&] {
    const Socket peer = listener.accept();
    peer.write("HTTP/1.0 400 Bad Request\r\n\r\nClient sent something else to an HTTP server.");
    peer.shutdown();
    peer.read(100'000);
  });
  const auto stream = connect(listener.port(), trusting());
  EXPECT_THAT(stream.error().message(), HasSubstr("the server does not use TLS on this port"));
}

TEST_F(TlsTest, AServerThatEndsTheHandshakeIsUnreachable) {
  const Listener listener;
  const std::jthread server([&] {
    const Socket peer = listener.accept();
    peer.shutdown();
    peer.read(100'000);
  });
  const auto stream = connect(listener.port(), trusting());
  EXPECT_EQ(stream.error().kind(), Kind::unreachable);
  EXPECT_THAT(stream.error().message(), HasSubstr("the server closed the connection"));
}

TEST_F(TlsTest, ASilentServerIsUnreachableAtTheDeadline) {
  const Listener listener;
  const auto stream = connect(listener.port(), trusting(), 20ms);
  EXPECT_EQ(stream.error().kind(), Kind::unreachable);
  EXPECT_THAT(stream.error().message(), HasSubstr("no answer within "));
}

TEST_F(TlsTest, CancellingEndsAHandshake) {
  const Listener listener;
  TlsConnector connector(
      world.loop, "127.0.0.1", listener.port(), *TlsContext::for_client(trusting()));
  TaskGroup group(world.loop);
  Kind kind{};
  group.spawn("connector", [&]() -> Task<void> {
    kind = (co_await connector.connect(world.loop.in(kLong))).error().kind();
  });
  const Timer cancel = world.loop.timers().arm(world.loop.in(20ms), [&] { group.cancel(); });
  world.run(group.join());
  EXPECT_EQ(kind, Kind::cancelled);
}

TEST_F(TlsTest, CancellingAndClosingEndAPendingRead) {
  TlsServer::Options options;
  options.identity = server_identity("IP:127.0.0.1");
  options.talk = [](SSL* ssl) { tls_read(ssl, 1); };
  {
    TlsServer server(options);
    auto stream = connect(server.port(), trusting());
    const Timer close = world.loop.timers().arm(world.loop.in(1ms), [&] { (*stream)->close(); });
    EXPECT_EQ(world.run(read_piece(**stream)).error().to_string(),
              "lost: the connection was closed");
    EXPECT_FALSE((*stream)->looks_alive());
  }
  TlsServer server(options);
  auto stream = connect(server.port(), trusting());
  TaskGroup group(world.loop);
  std::vector<Kind> kinds;
  group.spawn("reader", [&]() -> Task<void> {
    kinds.push_back((co_await read_piece(**stream)).error().kind());
    kinds.push_back((co_await read_piece(**stream)).error().kind());
    kinds.push_back((co_await (*stream)->write(asio::buffer("x", 1))).error().kind());
  });
  const Timer cancel = world.loop.timers().arm(world.loop.in(1ms), [&] { group.cancel(); });
  world.run(group.join());
  EXPECT_EQ(kinds, std::vector<Kind>(3, Kind::cancelled));
  (*stream)->close();
}

TEST_F(TlsTest, AnOrderlyEndIsSeenWithoutReading) {
  TlsServer::Options options;
  options.identity = server_identity("IP:127.0.0.1");
  options.talk = [](SSL* ssl) {
    tls_write(ssl, "bye");
    SSL_shutdown(ssl);
  };
  TlsServer server(options);
  auto stream = connect(server.port(), trusting());
  server.wait();
  EXPECT_EQ(*world.run(read_piece(**stream)), "bye");
  EXPECT_FALSE((*stream)->looks_alive());
  EXPECT_EQ(*world.run(read_piece(**stream)), "");
}

TEST_F(TlsTest, ABrokenConnectionIsLost) {
  TlsServer::Options options;
  options.identity = server_identity("IP:127.0.0.1");
  options.talk = [](SSL* ssl) { ::shutdown(SSL_get_fd(ssl), SHUT_WR); };
  TlsServer server(options);
  auto stream = connect(server.port(), trusting());
  EXPECT_EQ(world.run(read_piece(**stream)).error().kind(), Kind::lost);
}

TEST_F(TlsTest, AnHttpClientCarriesLargeBodiesOverIt) {
  const std::string body(3'000'000, 'x');
  TlsServer::Options options;
  options.identity = server_identity("IP:127.0.0.1");
  options.talk = [&](SSL* ssl) {
    std::string request;
    while (!request.ends_with("\r\n\r\n")) request += tls_read(ssl, 1);
    tls_read(ssl, body.size());
    tls_write(ssl, "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + body);
    tls_read(ssl, 1);
  };
  TlsServer server(options);
  auto connector = std::make_unique<TlsConnector>(
      world.loop, "127.0.0.1", server.port(), *TlsContext::for_client(trusting()));
  HttpClient client(world.loop, std::move(connector), {});
  const auto answer =
      world.run(client.send(http::Request("POST", "/", body), world.loop.in(kLong)));
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_TRUE(answer->body == body);
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(TlsTest, InvalidPemIsRejectedAtOnce) {
  const Identity one = make_identity({}, nullptr);
  const Identity two = make_identity({}, nullptr);
  struct Row {
    std::string ca;
    std::string certificate;
    std::string key;
    std::string reason;
  };
  const Row rows[] = {
      {"nonsense", "", "", "the certificate authority is not a certificate in PEM form"},
      {one.key, "", "", "the certificate authority is not"},
      {one.certificate.substr(0, 200), "", "", "the certificate authority is not"},
      {"", one.key, one.key, "the client certificate is not a certificate in PEM form"},
      {"", one.certificate, "", "needs its private key"},
      {"", "", one.key, "needs its private key"},
      {"", one.certificate, "nonsense", "not an unencrypted PEM key"},
      {"", one.certificate, two.key, "does not belong to its certificate"},
  };
  for (const Row& row : rows) {
    TlsOptions options;
    options.ca = row.ca;
    options.certificate = row.certificate;
    options.private_key = Secret(row.key);
    const auto context = TlsContext::for_client(options);
    ASSERT_FALSE(context.ok()) << row.reason;
    EXPECT_EQ(context.error().kind(), Kind::invalid);
    EXPECT_THAT(context.error().message(), HasSubstr(row.reason));
  }
}

}  // namespace
}  // namespace net::inline transport
