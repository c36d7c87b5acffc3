// SPDX-License-Identifier: Apache-2.0
#include "net/transport/proxy.h"

#include "net/transport/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace net::inline transport {
namespace {

using base::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

// "host:port" of the proxy, "direct", or the error.
std::string way_to(const std::string& url, const ProxySettings& settings) {
  const auto proxy = proxy_for(settings, *parse_url(url));
  if (!proxy.ok()) return proxy.error().to_string();
  if (!*proxy) return "direct";
  return (*proxy)->host + ":" + std::to_string((*proxy)->port);
}

TEST(Proxy, IsChosenByTheSchemeOfTheUrl) {
  const ProxySettings both{"http://plain:3128", "http://secure:3129", ""};
  EXPECT_EQ(way_to("http://a.example", both), "plain:3128");
  EXPECT_EQ(way_to("https://a.example", both), "secure:3129");
  EXPECT_EQ(way_to("http://a.example", {"", "secure:1", ""}), "direct");
  EXPECT_EQ(way_to("https://a.example", {"plain:1", "", ""}), "direct");
}

TEST(Proxy, TheAddressIsParsedAsGoDoes) {
  struct Row {
    std::string text;
    std::string way;
  };
  const Row rows[] = {
      {"http://proxy:3128", "proxy:3128"},
      {"HTTP://proxy:3128/", "proxy:3128"},
      {"proxy:3128", "proxy:3128"},
      {"proxy", "proxy:80"},
      {"10.0.0.1:8080", "10.0.0.1:8080"},
      {"http://[fd00::1]:3128", "fd00::1:3128"},
      {"http://proxy:3128/path?query", "proxy:3128"},
      {"http://user:pass@proxy:3128", "proxy:3128"},
  };
  for (const Row& row : rows) EXPECT_EQ(way_to("https://a.example", {"", row.text, ""}), row.way);
}

TEST(Proxy, AnInvalidAddressIsRejectedWhereItWouldBeUsed) {
  for (const std::string text : {"https://proxy:3128",
                                 "socks5://proxy:1080",
                                 "http://",
                                 "http://secret:w0rd@:80",
                                 "http://secret:w0rd@proxy:x",
                                 "http://sec%ret:w0rd@proxy:80",
                                 "http://a b:80"}) {
    const ProxySettings settings{"", text, "excluded"};
    const auto proxy = proxy_for(settings, *parse_url("https://a.example"));
    ASSERT_FALSE(proxy.ok()) << text;
    EXPECT_EQ(proxy.error().kind(), Kind::invalid);
    EXPECT_THAT(proxy.error().message(), HasSubstr("HTTPS_PROXY: "));
    EXPECT_THAT(proxy.error().message(), Not(HasSubstr("w0rd"))) << text;
    EXPECT_EQ(way_to("http://a.example", settings), "direct");
    EXPECT_EQ(way_to("https://excluded", settings), "direct");
  }
}

TEST(Proxy, AUserAndPasswordBecomeAuthorization) {
  struct Row {
    std::string text;
    std::string authorization;
  };
  const Row rows[] = {
      {"http://proxy:1", ""},
      {"http://Aladdin:open%20sesame@proxy:1", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="},
      {"http://user@proxy:1", "Basic dXNlcjo="},
      {"http://user:p%40ss%3a@proxy:1", "Basic dXNlcjpwQHNzOg=="},
      {"user:p@ss@proxy:1", "Basic dXNlcjpwQHNz"},
  };
  for (const Row& row : rows) {
    const auto proxy = proxy_for({row.text, "", ""}, *parse_url("http://a.example"));
    ASSERT_TRUE(proxy.ok()) << row.text << ": " << proxy.error().to_string();
    EXPECT_EQ((*proxy)->authorization.reveal(), row.authorization) << row.text;
    EXPECT_EQ((*proxy)->host, "proxy");
  }
}

TEST(Proxy, SomeHostsAreReachedDirectly) {
  struct Row {
    std::string exclude;
    std::string url;
    bool direct;
  };
  const Row rows[] = {
      // this machine, always
      {"", "https://localhost:6443", true},
      {"", "https://127.0.0.1", true},
      {"", "https://127.8.9.10", true},
      {"", "https://[::1]", true},
      {"", "https://[::ffff:127.0.0.1]", true},
      {"", "https://localhost.example", false},
      {"", "https://128.0.0.1", false},
      // names
      {"example.com", "https://example.com", true},
      {"example.com", "https://EXAMPLE.com", true},
      {"EXAMPLE.com", "https://example.com", true},
      {"example.com", "https://a.b.example.com", true},
      {"example.com", "https://notexample.com", false},
      {"example.com", "https://example.com.evil.org", false},
      {".example.com", "https://example.com", false},
      {".example.com", "https://a.example.com", true},
      {"*.example.com", "https://example.com", false},
      {"*.example.com", "https://a.example.com", true},
      {"*example.com", "https://a.example.com", false},
      {"com", "https://example.com", true},
      {"a, b ,\tc", "https://b", true},
      {"a, b ,\tc", "https://c", true},
      {"a b", "https://b", false},
      {",,", "https://b", false},
      // ports
      {"example.com:443", "https://example.com", true},
      {"example.com:443", "https://a.example.com", true},
      {"example.com:8443", "https://example.com", false},
      {"example.com:8443", "https://example.com:8443", true},
      {":443", "https://example.com", false},
      {"10.0.0.1:443", "https://10.0.0.1", true},
      {"10.0.0.1:444", "https://10.0.0.1", false},
      {"[fd00::1]:443", "https://[fd00::1]", true},
      {"[fd00::1]:444", "https://[fd00::1]", false},
      // addresses and ranges
      {"10.0.0.1", "https://10.0.0.1", true},
      {"10.0.0.1", "https://10.0.0.2", false},
      {"10.0.0.1", "https://a.10.0.0.1.example", false},
      {"0.1", "https://10.0.0.1", false},
      {"fd00::1", "https://[fd00:0:0::1]", true},
      {"10.0.0.0/8", "https://10.255.0.1", true},
      {"10.0.0.0/8", "https://11.0.0.1", false},
      {"10.96.0.0/12", "https://10.111.255.255", true},
      {"10.96.0.0/12", "https://10.112.0.0", false},
      {"10.1.2.3/8", "https://10.255.0.1", true},
      {"10.0.0.1/32", "https://10.0.0.1", true},
      {"10.0.0.1/32", "https://10.0.0.0", false},
      {"0.0.0.0/0", "https://1.2.3.4", true},
      {"0.0.0.0/0", "https://[fd00::1]", false},
      {"fd00::/8", "https://[fdff::1]", true},
      {"fd00::/8", "https://[fe00::1]", false},
      {"::/0", "https://[fe00::1]", true},
      {"10.0.0.0/8", "https://name.example", false},
      {"10.0.0.0/33", "https://10.0.0.1", false},
      {"10.0.0.0/x", "https://10.0.0.1", false},
      // everything
      {"*", "https://anything.example", true},
      {"a,*", "https://10.0.0.1", true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(way_to(row.url, {"", "proxy:1", row.exclude}), row.direct ? "direct" : "proxy:1")
        << "NO_PROXY=" << row.exclude << " " << row.url;
  }
}

TEST(Proxy, TheEnvironmentHasItsUsualMeaning) {
  using Environment = std::map<std::string, std::string>;
  const auto read = [](const Environment& environment) {
    return proxies_of([&](const std::string& name) {
      const auto found = environment.find(name);
      return found == environment.end() ? std::string() : found->second;
    });
  };
  const ProxySettings upper = read({{"HTTP_PROXY", "a"}, {"HTTPS_PROXY", "b"}, {"NO_PROXY", "c"}});
  EXPECT_EQ(upper.http + upper.https + upper.exclude, "abc");
  const ProxySettings lower = read({{"http_proxy", "a"}, {"https_proxy", "b"}, {"no_proxy", "c"}});
  EXPECT_EQ(lower.http + lower.https + lower.exclude, "abc");
  EXPECT_EQ(read({{"HTTPS_PROXY", "a"}, {"https_proxy", "b"}}).https, "a");
  EXPECT_EQ(read({{"HTTPS_PROXY", ""}, {"https_proxy", "b"}}).https, "b");

  const ProxySettings cgi =
      read({{"REQUEST_METHOD", "GET"}, {"HTTP_PROXY", "evil"}, {"HTTPS_PROXY", "b"}});
  EXPECT_EQ(cgi.http, "") << "set by the header of a client";
  EXPECT_EQ(cgi.https, "b");
  EXPECT_EQ(read({{"REQUEST_METHOD", "GET"}, {"HTTP_PROXY", "evil"}, {"http_proxy", "good"}}).http,
            "good");
}

RC_GTEST_PROP(ProxyProperty, NoInputCrashes, (std::string proxy, std::string exclude)) {
  const auto way = proxy_for({"", proxy, exclude}, *parse_url("https://10.0.0.1"));
  if (!way.ok()) RC_ASSERT(way.error().is(Kind::invalid));
}

}  // namespace
}  // namespace net::inline transport
