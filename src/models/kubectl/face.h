// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "models/kube/server.h"
#include "net/http_wire/http.h"

#include <string>

namespace models::kubectl {

// The parts of an API server that only kubectl uses: discovery, enough OpenAPI to leave validation
// to the server, health, and lists as tables.
//
// Guarantees  every other request is passed to the server unchanged. The version contains
//             "sandbox", so that it cannot be mistaken for a cluster.
// Does not    serve watches: open and read them on the server, and pass the lines through here.
class KubectlFace {
 public:
  KubectlFace(kube::KubeServer& server, const base::Clock& clock)
      : server_(server), clock_(clock) {}

  // Any request except a watch.
  net::http::Response handle(const net::http::Request& request);

  // The lines of a watch in the form that this request wants: unchanged, or as tables with one row.
  std::string watch_lines(const net::http::Request& request, std::string lines) const;

 private:
  net::http::Response handle_protobuf(const net::http::Request& request);

  kube::KubeServer& server_;
  const base::Clock& clock_;
};

}  // namespace models::kubectl
