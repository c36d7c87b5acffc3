// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>

struct ssl_st;

namespace net::inline transport {

// The expected peer of one connection, and the problem found in its certificate.
struct PeerCheck {
  std::string host;     // a name or an address
  bool insecure;        // accept any certificate
  std::string problem;  // message for people; empty: none
};

// Makes the handshake of `ssl` verify the peer and record the first problem. `check` must outlive
// `ssl`.
base::Result<void> expect_peer(ssl_st* ssl, PeerCheck& check);

}  // namespace net::inline transport
