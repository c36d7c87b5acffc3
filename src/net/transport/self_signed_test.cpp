// SPDX-License-Identifier: Apache-2.0
#include "net/transport/self_signed.h"

#include "net/transport/server_certificate.h"
#include "net/transport/tls.h"

#include <gtest/gtest.h>

namespace net::inline transport {
namespace {

TEST(SelfSigned, KeyAndCertificateMatchAndAreNewEachTime) {
  const auto one = self_signed("scheduler");
  const auto other = self_signed("scheduler");
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_TRUE(TlsContext::for_server(one->certificate, one->key).ok());
  EXPECT_NE(one->certificate, other->certificate);
  EXPECT_FALSE(TlsContext::for_server(one->certificate, other->key).ok());
}

TEST(SelfSigned, ItsServerCertificateIsNotReplacedFromFiles) {
  const auto certificate = ServerCertificate::self_signed("scheduler");
  ASSERT_TRUE(certificate.ok()) << certificate.error().message();
  const auto context = (*certificate)->context();
  ASSERT_NE(context, nullptr);
  (*certificate)->reload();
  EXPECT_EQ((*certificate)->context(), context);
}

}  // namespace
}  // namespace net::inline transport
