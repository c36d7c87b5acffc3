// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/transport/certificate_authority.h"

#include <chrono>
#include <string>
#include <vector>

// The certificates of a webhook and their rotation, without I/O.
namespace kube::inline ca {

// The content of the Secret.
struct WebhookCertificates {
  std::string bundle;  // ca.crt: what clients trust; the authority's certificate first, then its
                       // predecessor's
  net::KeyPair authority;  // the first of the bundle, and ca.key
  net::KeyPair server;     // tls.crt and tls.key
};

struct RotationPolicy {
  std::string name;                    // of the authority, for people
  std::vector<std::string> dns_names;  // of the server: "webhook.ns.svc"
  std::chrono::hours authority_life = std::chrono::hours(10 * 365 * 24);
  std::chrono::hours server_life = std::chrono::hours(90 * 24);
};

enum class RotationStep {
  nothing,
  new_authority,  // the server keeps the certificate of the old authority
  new_server,     // signed by the authority, which all clients trust by now
};

// Returns the next step. Each certificate is renewed when a third of its lifetime is left.
//
// Expects     `published`: whether every client is known to have the bundle.
// Guarantees  at every moment every client trusts the certificate of the server: a new authority
//             signs only after its certificate was published.
RotationStep next_rotation(const WebhookCertificates& certificates,
                           bool published,
                           base::WallTime now);

// Creates the first certificates.
base::Result<WebhookCertificates> first_certificates(const RotationPolicy& policy,
                                                     base::WallTime now);
// Returns the certificates after a step.
base::Result<WebhookCertificates> rotated(const WebhookCertificates& certificates,
                                          RotationStep step,
                                          const RotationPolicy& policy,
                                          base::WallTime now);

}  // namespace kube::inline ca
