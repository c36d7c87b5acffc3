// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <string>

namespace net::inline transport {

// A certificate and its key, both PEM.
struct KeyPair {
  std::string certificate;
  base::Secret key;
};

// Creates a key and a self-signed certificate: for clients that do not verify, such as a kubelet
// that runs a probe.
//
// Guarantees  valid from now for ten years, for the DNS name `name`.
base::Result<KeyPair> self_signed(const std::string& name);

}  // namespace net::inline transport
