// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/auth/config.h"
#include "net/async/loop.h"
#include "net/http_wire/http.h"

#include <memory>
#include <string>

namespace kube::inline auth {

// HTTP(S) connections to the API server of a configuration, verified as configured; a path in the
// URL of the server prefixes every target. A proxy is used if the configuration has one for the
// server. If an exec plugin provides client certificates, connections use the current one: a new
// certificate causes new connections, and requests in progress end on the old ones.
base::Result<std::unique_ptr<net::http::Transport>> connect(net::Loop& loop,
                                                            const ClusterConfig& config,
                                                            const Credentials& credentials,
                                                            std::string user_agent);

}  // namespace kube::inline auth
