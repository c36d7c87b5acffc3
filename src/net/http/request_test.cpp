// SPDX-License-Identifier: Apache-2.0
#include "net/http/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace net::http {
namespace {

using base::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(HttpRequest, IsRepeatableByItsMethodUnlessSetOtherwise) {
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE"})
    EXPECT_TRUE(Request(method, "/").repeatable) << method;
  for (const char* method : {"POST", "PATCH", "OPTIONS"})
    EXPECT_FALSE(Request(method, "/").repeatable) << method;
}

TEST(HttpHeaders, AreFoundInAnyCase) {
  const std::vector<Header> headers = {{"Content-Type", "a"}, {"content-type", "b"}};
  EXPECT_EQ(find_header(headers, "CONTENT-TYPE"), "a");
  EXPECT_EQ(find_header(headers, "Content-Typ"), std::nullopt);
}

TEST(HttpRequest, IsEncodedWithTheHeadersOfTheTransport) {
  Request get("GET", "/api/v1/pods?limit=5");
  get.headers.emplace_back("Accept", "application/json");
  EXPECT_EQ(*encode(get, "api:6443", "slurm-bridge/1"),
            "GET /api/v1/pods?limit=5 HTTP/1.1\r\n"
            "Host: api:6443\r\n"
            "User-Agent: slurm-bridge/1\r\n"
            "Accept: application/json\r\n"
            "\r\n");
  EXPECT_EQ(*encode(Request("POST", "/x", "{}"), "api", ""),
            "POST /x HTTP/1.1\r\nHost: api\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(*encode(Request("PATCH", "/x"), "api", ""),
            "PATCH /x HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpRequest, CannotContainASecondRequest) {
  struct Row {
    std::string method;
    std::string target;
    std::string name;
    std::string value;
  };
  const Row rows[] = {
      {"GET /x HTTP/1.1\r\nA:", "/", "A", "b"},
      {"", "/", "A", "b"},
      {"GET", "x", "A", "b"},
      {"GET", "", "A", "b"},
      {"GET", "/a b", "A", "b"},
      {"GET", "/a\r\nB: c", "A", "b"},
      {"GET", "/\xC3\xA4", "A", "b"},
      {"GET", "/", "", "b"},
      {"GET", "/", "A: x\r\nB", "b"},
      {"GET", "/", "A", "b\r\nC: d"},
      {"GET", "/", "A", "b\n"},
      {"GET", "/", "A", std::string("b\0c", 3)},
      {"GET", "/", "Host", "other"},
      {"GET", "/", "content-length", "5"},
      {"GET", "/", "Transfer-Encoding", "chunked"},
      {"GET", "/", "connection", "close"},
      {"GET", "/", "user-agent", "x"},
  };
  for (const Row& row : rows) {
    Request request(row.method, row.target);
    request.headers.emplace_back(row.name, row.value);
    const auto bytes = encode(request, "api", "us");
    ASSERT_FALSE(bytes.ok()) << row.method << row.target << row.name << row.value;
    EXPECT_EQ(bytes.error().kind(), Kind::invalid);
  }
}

TEST(HttpRequest, AHeaderValueIsNotInTheErrorMessage) {
  Request request("GET", "/");
  request.headers.emplace_back("Authorization", "Bearer hunter2\n");
  const auto bytes = encode(request, "api", "us");
  EXPECT_THAT(bytes.error().message(), HasSubstr("Authorization"));
  EXPECT_THAT(bytes.error().message(), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace net::http
