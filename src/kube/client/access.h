// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/client/client.h"
#include "net/async/loop.h"

namespace kube::inline client {

// What the parts of a controller need to use the API server. Loop and client outlive them.
struct Access {
  net::Loop& loop;
  Client& client;
  base::Log log = base::Log();
};

}  // namespace kube::inline client
