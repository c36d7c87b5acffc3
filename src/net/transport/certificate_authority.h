// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/transport/self_signed.h"

#include <string>
#include <string_view>
#include <vector>

// Certificates of a program's own authority: for webhooks, whose configuration names the authority
// that the API server trusts.
namespace net::inline transport {

struct Validity {
  base::WallTime from;
  base::WallTime until;

  friend bool operator==(const Validity&, const Validity&) = default;
};

// Creates a key (P-256) and the certificate of an authority that may only sign servers.
base::Result<KeyPair> make_authority(const std::string& name, Validity validity);

// Creates a key and a certificate for a server with these DNS names, signed by the authority.
//
// Errors      invalid  the authority's certificate or key cannot be parsed, or they do not match
base::Result<KeyPair> issue_certificate(const KeyPair& authority,
                                        const std::vector<std::string>& dns_names,
                                        Validity validity);

// Validity of the first certificate of a PEM text, in whole seconds.
base::Result<Validity> validity_of(std::string_view pem);
// Whether the first certificate of `pem` was signed by the first of `authority`.
base::Result<bool> is_signed_by(std::string_view pem, std::string_view authority);

}  // namespace net::inline transport
