// SPDX-License-Identifier: Apache-2.0
#include "net/transport/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace net::inline transport {
namespace {

using base::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Url, IsParsed) {
  struct Row {
    std::string text;
    bool tls;
    std::string host;
    int port;
    std::string prefix;
    std::string authority;
  };
  const Row rows[] = {
      {"https://api.example", true, "api.example", 443, "", "api.example"},
      {"http://API.Example:80/", false, "api.example", 80, "", "api.example"},
      {"http://10.0.0.1:6820/slurm/", false, "10.0.0.1", 6820, "/slurm", "10.0.0.1:6820"},
      {"https://[::1]:6443/k8s/c%20a//", true, "::1", 6443, "/k8s/c%20a", "[::1]:6443"},
      {"https://[fe80::1]", true, "fe80::1", 443, "", "[fe80::1]"},
      {"http://slurm_rest", false, "slurm_rest", 80, "", "slurm_rest"},
  };
  for (const Row& row : rows) {
    const auto url = parse_url(row.text);
    ASSERT_TRUE(url.ok()) << row.text << ": " << url.error().to_string();
    EXPECT_EQ(url->tls, row.tls) << row.text;
    EXPECT_EQ(url->host, row.host) << row.text;
    EXPECT_EQ(url->port, row.port) << row.text;
    EXPECT_EQ(url->prefix, row.prefix) << row.text;
    EXPECT_EQ(url->authority(), row.authority) << row.text;
    EXPECT_EQ(parse_url(url->to_string())->to_string(), url->to_string());
  }
}

TEST(Url, AnythingElseIsRejectedWithTheReason) {
  struct Row {
    std::string text;
    std::string reason;
  };
  const Row rows[] = {
      {"", "http:// or https://"},
      {"api.example:6443", "http:// or https://"},
      {"HTTPS://api.example", "http:// or https://"},
      {"unix:///run/slurmrestd.socket", "http:// or https://"},
      {"https://", "no valid host"},
      {"https:///path", "no valid host"},
      {"https://:443", "no valid host"},
      {"https://a b", "no valid host"},
      {"https://a..b", "no valid host"},
      {"https://-a", "no valid host"},
      {"https://1.2.3", "no valid host"},
      {"https://1.2.3.256", "no valid host"},
      {"https://::1", "no valid host"},
      {"https://[::1", "] of the address is missing"},
      {"https://[a.example]", "no IPv6 address"},
      {"https://[::1]443", "only a port may follow"},
      {"https://a:", "port"},
      {"https://a:0", "port"},
      {"https://a:65536", "port"},
      {"https://a:+443", "port"},
      {"https://a:443x", "port"},
      {"https://a/b c", "%XX"},
      {"https://a/%zz", "%XX"},
      {"https://a/%2", "%XX"},
      {"https://a/b?c=d", "query"},
      {"https://a/b#c", "fragment"},
      {"https://a\r\nHost: b", "no valid host"},
  };
  for (const Row& row : rows) {
    const auto url = parse_url(row.text);
    ASSERT_FALSE(url.ok()) << row.text;
    EXPECT_EQ(url.error().kind(), Kind::invalid);
    EXPECT_THAT(url.error().message(), HasSubstr(row.reason)) << row.text;
  }
}

TEST(Url, APasswordIsRejectedAndNotShown) {
  const auto url = parse_url("https://alice:hunter2@api.example");
  EXPECT_EQ(url.error().kind(), Kind::invalid);
  EXPECT_THAT(url.error().message(), Not(HasSubstr("hunter2")));
}

TEST(UrlEncoding, EncodesEverythingThatCouldEndASegmentOrAParameter) {
  EXPECT_EQ(encode_path_segment("a/b?c#d%e f"), "a%2Fb%3Fc%23d%25e%20f");
  EXPECT_EQ(encode_query_value("a=b&c+d\xC3\xA4"), "a%3Db%26c%2Bd%C3%A4");
  EXPECT_EQ(encode_path_segment("AZaz09-._~"), "AZaz09-._~");
}

std::string decode(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
    } else {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    }
  }
  return out;
}

RC_GTEST_PROP(UrlEncodingProperty, CanBeDecoded, (const std::string& text)) {
  const std::string encoded = encode_query_value(text);
  RC_ASSERT(decode(encoded) == text);
  RC_ASSERT(std::ranges::all_of(encoded, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("-._~%").contains(c);
  }));
}

RC_GTEST_PROP(UrlProperty, NoInputCrashesAndAcceptedUrlsAreStable, (const std::string& text)) {
  for (const std::string prefix : {"", "http://", "https://a", "https://[::1]:", "http://a:1/"}) {
    const auto url = parse_url(prefix + text);
    if (url.ok()) RC_ASSERT(parse_url(url->to_string())->to_string() == url->to_string());
  }
}

}  // namespace
}  // namespace net::inline transport
