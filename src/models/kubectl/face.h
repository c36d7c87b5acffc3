// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "models/kube/server.h"
#include "net/http_wire/http.h"

#include <string>

namespace models::kubectl {

// What kubectl wants of an API server besides objects: discovery, just enough OpenAPI to leave the
// validation to the server, health, and lists as tables.
//
// Guarantees  every request that is none of these is the server's own, unchanged. Its version says
//             "sandbox", so that nobody takes it for a cluster.
// Does not    serve watches: open and read them on the server, and pass the lines through here.
class KubectlFace {
 public:
  KubectlFace(kube::KubeServer& server, const base::Clock& clock)
      : server_(server), clock_(clock) {}

  // Any request but a watch.
  net::http::Response handle(const net::http::Request& request);

  // Lines of a watch as this request wants to see them: as they are, or as tables of one row.
  std::string watch_lines(const net::http::Request& request, std::string lines) const;

 private:
  net::http::Response handle_protobuf(const net::http::Request& request);

  kube::KubeServer& server_;
  const base::Clock& clock_;
};

}  // namespace models::kubectl
