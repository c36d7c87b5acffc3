// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "bridge/config/config.h"
#include "net/async/loop.h"
#include "net/http_wire/http.h"
#include "net/transport/proxy.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace app {

// The connection of this process to slurmrestd.
struct SlurmLinkOptions {
  std::string user_agent;
  net::ProxySettings proxies;
  std::size_t connections = 8;  // at most, at the same time
};

// Connects to slurmRestApi; with https the server is verified by the authorities in
// slurmRestApiCaFile, or by the system's. An error names the key and the file that are wrong.
base::Result<std::unique_ptr<net::http::Transport>> slurm_transport(
    net::Loop& loop, const bridge::config::Config& config, SlurmLinkOptions options);

// The warnings of a start: a token that is sent in clear text over a network, a key without effect.
std::vector<std::string> remarks_on_slurm_link(const bridge::config::Config& config);

}  // namespace app
