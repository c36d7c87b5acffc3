// SPDX-License-Identifier: Apache-2.0
#include "kube/ca/rotation.h"

#include <utility>

namespace kube::inline ca {
namespace {

using base::Result;

// Clocks differ: for some clients a certificate that is valid from now is not valid yet.
constexpr std::chrono::hours kBefore(1);

net::Validity validity(base::WallTime now, std::chrono::hours life) {
  return {now - kBefore, now + life};
}

// A certificate that cannot be parsed counts as missing.
bool is_old(std::string_view pem, base::WallTime now) {
  const auto valid = net::validity_of(pem);
  if (!valid.ok()) return true;
  return valid->until - now < (valid->until - valid->from) / 3;
}

bool is_signed_by(const net::KeyPair& server, const net::KeyPair& authority) {
  const auto is_signed = net::is_signed_by(server.certificate, authority.certificate);
  return is_signed.ok() && *is_signed;
}

}  // namespace

RotationStep next_rotation(const WebhookCertificates& certificates,
                           bool published,
                           base::WallTime now) {
  if (is_old(certificates.authority.certificate, now)) return RotationStep::new_authority;
  const bool is_due = is_old(certificates.server.certificate, now) ||
                      !is_signed_by(certificates.server, certificates.authority);
  return is_due && published ? RotationStep::new_server : RotationStep::nothing;
}

Result<WebhookCertificates> first_certificates(const RotationPolicy& policy, base::WallTime now) {
  TRY(net::KeyPair authority,
      net::make_authority(policy.name, validity(now, policy.authority_life)));
  TRY(net::KeyPair server,
      net::issue_certificate(authority, policy.dns_names, validity(now, policy.server_life)));
  return WebhookCertificates{authority.certificate, std::move(authority), std::move(server)};
}

Result<WebhookCertificates> rotated(const WebhookCertificates& certificates,
                                    RotationStep step,
                                    const RotationPolicy& policy,
                                    base::WallTime now) {
  WebhookCertificates next = certificates;
  if (step == RotationStep::new_authority) {
    TRY(next.authority, net::make_authority(policy.name, validity(now, policy.authority_life)));
    next.bundle = next.authority.certificate + certificates.authority.certificate;
  } else if (step == RotationStep::new_server) {
    TRY(next.server,
        net::issue_certificate(
            next.authority, policy.dns_names, validity(now, policy.server_life)));
  }
  return next;
}

}  // namespace kube::inline ca
