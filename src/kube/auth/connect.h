// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/auth/config.h"
#include "net/async/loop.h"
#include "net/http_wire/http.h"

#include <memory>
#include <string>

namespace kube::inline auth {

// HTTP(S) connections to the API server of a configuration, verified as it says; a path of the
// server's URL stands in front of every target. Through a proxy if the configuration has one for
// it. If the credentials come from an exec plugin that gives client certificates, connections are
// made with the one of the moment: a new one means new connections, while what is under way ends on
// the old ones.
base::Result<std::unique_ptr<net::http::Transport>> connect(net::Loop& loop,
                                                            const ClusterConfig& config,
                                                            const Credentials& credentials,
                                                            std::string user_agent);

}  // namespace kube::inline auth
