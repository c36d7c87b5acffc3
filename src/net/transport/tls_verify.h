// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>

struct ssl_st;

namespace net::inline transport {

// Whom we expect at the other end of one connection, and what was wrong with the certificate that
// we saw instead.
struct PeerCheck {
  std::string host;     // a name or an address
  bool insecure;        // anybody will do
  std::string problem;  // for a person; empty if there was none
};

// Makes the handshake of `ssl` verify the peer and write the first problem down. `check` must live
// as long as `ssl`.
base::Result<void> expect_peer(ssl_st* ssl, PeerCheck& check);

}  // namespace net::inline transport
