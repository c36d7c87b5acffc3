// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/exec_credential.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline auth {
namespace {

using ::testing::HasSubstr;

const ExecSpec kSpec{.api_version = std::string(kExecV1), .command = "login"};

std::string answer(std::string_view status) {
  return fmt::format(
      R"({{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}})",
      status);
}

TEST(ExecCredential, ATokenWithItsExpiry) {
  const auto credential = parse_exec_credential(
      kSpec, answer(R"({"token":"sesame","expirationTimestamp":"2023-11-14T22:13:20Z"})"));
  ASSERT_TRUE(credential.ok()) << credential.error().message();
  EXPECT_EQ(credential->token->reveal(), "sesame");
  EXPECT_EQ(credential->expires, base::WallTime(std::chrono::seconds(1'700'000'000)));
}

TEST(ExecCredential, AClientCertificate) {
  const auto credential = parse_exec_credential(
      kSpec, answer(R"({"clientCertificateData":"C","clientKeyData":"K","token":null})"));
  ASSERT_TRUE(credential.ok()) << credential.error().message();
  EXPECT_FALSE(credential->token.has_value());
  EXPECT_EQ(credential->certificate_pem, "C");
  EXPECT_EQ(credential->key_pem.reveal(), "K");
  EXPECT_FALSE(credential->expires.has_value());
}

TEST(ExecCredential, AnErrorNamesTheField) {
  struct Row {
    std::string output;
    std::string_view want;
  };
  const Row rows[] = {
      {"", "not a JSON object"},
      {"Please log in", "not a JSON object"},
      {"[]", "not a JSON object"},
      {"{}", "kind is not ExecCredential"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"})",
       "make them agree"},
      {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
       "status is missing"},
      {answer("{}"), "neither token nor clientCertificateData"},
      {answer(R"({"token":""})"), "neither token nor clientCertificateData"},
      {answer(R"({"token":7})"), "token is not a string"},
      {answer(R"({"token":"t","clientKeyData":"K"})"), "are needed together"},
      {answer(R"({"token":"t","expirationTimestamp":"soon"})"),
       "expirationTimestamp is not a time"},
  };
  for (const Row& row : rows) {
    const auto credential = parse_exec_credential(kSpec, row.output);
    ASSERT_FALSE(credential.ok()) << row.output;
    EXPECT_TRUE(credential.error().is(base::Kind::unauthorized));
    EXPECT_THAT(credential.error().message(), HasSubstr(row.want));
    EXPECT_THAT(credential.error().message(), HasSubstr("login"));
  }
}

TEST(ExecCredential, AnyTruncatedAnswerIsAnErrorWithoutItsContent) {
  const std::string whole = answer(R"({"token":"sesame"})");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto credential = parse_exec_credential(kSpec, whole.substr(0, size));
    ASSERT_FALSE(credential.ok()) << size;
    EXPECT_THAT(credential.error().message(), Not(HasSubstr("sesame")));
  }
}

}  // namespace
}  // namespace kube::inline auth
