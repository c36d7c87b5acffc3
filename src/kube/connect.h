// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/config.h"
#include "net/http.h"
#include "net/loop.h"

#include <memory>
#include <string>

namespace kube {

// HTTP(S) connections to the API server of a configuration, verified as it says.
base::Result<std::unique_ptr<net::http::Transport>> connect(net::Loop& loop,
                                                            const ClusterConfig& config,
                                                            std::string user_agent);

}  // namespace kube
