// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <string>

namespace net::inline transport {

// A certificate and its key, PEM both.
struct KeyPair {
  std::string certificate;
  base::Secret key;
};

// A new key and a certificate that nobody but itself vouches for: for clients that do not verify,
// as a kubelet that probes.
//
// Guarantees  valid from now for ten years, for the DNS name `name`.
base::Result<KeyPair> self_signed(const std::string& name);

}  // namespace net::inline transport
