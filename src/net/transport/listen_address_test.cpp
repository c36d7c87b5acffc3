// SPDX-License-Identifier: Apache-2.0
#include "net/transport/acceptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace net::inline transport {
namespace {

using base::Kind;
using ::testing::HasSubstr;

TEST(ListenAddress, IsParsedAsGoDoes) {
  struct Row {
    std::string text;
    std::string host;
    int port;
  };
  const Row rows[] = {
      {":8080", "", 8080},
      {"127.0.0.1:0", "127.0.0.1", 0},
      {"0.0.0.0:65535", "0.0.0.0", 65535},
      {"[::1]:8443", "::1", 8443},
      {"[::]:8443", "::", 8443},
      {"localhost:9443", "127.0.0.1", 9443},
  };
  for (const Row& row : rows) {
    const auto address = parse_listen_address(row.text);
    ASSERT_TRUE(address.ok()) << row.text << ": " << address.error().to_string();
    EXPECT_EQ(address->host, row.host) << row.text;
    EXPECT_EQ(address->port, row.port) << row.text;
  }
}

TEST(ListenAddress, AnythingElseIsRejectedWithTheReason) {
  struct Row {
    std::string text;
    std::string reason;
  };
  const Row rows[] = {
      {"", "a port is missing"},
      {"8080", "a port is missing"},
      {"127.0.0.1", "a port is missing"},
      {"127.0.0.1:", "not a number"},
      {":65536", "not a number"},
      {":-1", "not a number"},
      {":80 ", "not a number"},
      {"example.com:80", "the host is not an address"},
      {"::1:80", "the host is not an address"},
      {"[127.0.0.1]:80", "the host is not an address"},
      {"1.2.3:80", "the host is not an address"},
  };
  for (const Row& row : rows) {
    const auto address = parse_listen_address(row.text);
    ASSERT_FALSE(address.ok()) << row.text;
    EXPECT_EQ(address.error().kind(), Kind::invalid);
    EXPECT_THAT(address.error().message(), HasSubstr(row.reason)) << row.text;
  }
}

}  // namespace
}  // namespace net::inline transport
