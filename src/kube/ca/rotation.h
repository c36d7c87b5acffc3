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

// What is kept in the Secret.
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
  new_authority,  // made beside the old one; the server's certificate stays the old one's
  new_server,     // signed by the authority, which all clients trust by now
};

// What is to be done next. Each certificate is renewed when a third of its life is left.
//
// Expects     whether every client is known to have the bundle (`published`).
// Guarantees  at every moment the server's certificate is one that every client trusts: a new
//             authority signs only after its certificate was published.
RotationStep next_rotation(const WebhookCertificates& certificates,
                           bool published,
                           base::WallTime now);

// The first ones.
base::Result<WebhookCertificates> first_certificates(const RotationPolicy& policy,
                                                     base::WallTime now);
// The certificates after a step.
base::Result<WebhookCertificates> rotated(const WebhookCertificates& certificates,
                                          RotationStep step,
                                          const RotationPolicy& policy,
                                          base::WallTime now);

}  // namespace kube::inline ca
