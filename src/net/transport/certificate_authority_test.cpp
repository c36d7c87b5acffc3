// SPDX-License-Identifier: Apache-2.0
#include "net/transport/certificate_authority.h"

#include "base/rfc3339.h"
#include "net/transport/tls.h"

#include <gtest/gtest.h>

namespace net::inline transport {
namespace {

const Validity kYear{*base::parse_rfc3339("2026-01-01T00:00:00Z"),
                     *base::parse_rfc3339("2027-01-01T00:00:00Z")};

TEST(CertificateAuthority, SignsCertificatesThatAServerCanUse) {
  const auto authority = make_authority("test CA", kYear);
  ASSERT_TRUE(authority.ok());
  const auto server = issue_certificate(*authority, {"a.b.svc", "a.b"}, kYear);
  ASSERT_TRUE(server.ok()) << server.error().to_string();
  EXPECT_TRUE(*is_signed_by(server->certificate, authority->certificate));
  EXPECT_TRUE(TlsContext::for_server(server->certificate, server->key).ok());
  EXPECT_EQ(*validity_of(server->certificate), kYear);
}

TEST(CertificateAuthority, DistinguishesTwoAuthoritiesWithTheSameName) {
  const auto one = make_authority("CA", kYear);
  const auto two = make_authority("CA", kYear);
  const auto server = issue_certificate(*one, {"x"}, kYear);
  EXPECT_TRUE(*is_signed_by(server->certificate, one->certificate));
  EXPECT_FALSE(*is_signed_by(server->certificate, two->certificate));
}

TEST(CertificateAuthority, RejectsAKeyThatDoesNotMatchTheCertificate) {
  const auto one = make_authority("CA", kYear);
  const auto two = make_authority("CA", kYear);
  EXPECT_TRUE(issue_certificate({one->certificate, two->key}, {"x"}, kYear)
                  .error()
                  .is(base::Kind::invalid));
  EXPECT_TRUE(issue_certificate(*one, {}, kYear).error().is(base::Kind::invalid));
  EXPECT_TRUE(validity_of("nothing").error().is(base::Kind::invalid));
}

}  // namespace
}  // namespace net::inline transport
