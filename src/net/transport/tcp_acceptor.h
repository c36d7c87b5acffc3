// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/transport/acceptor.h"
#include "net/transport/tcp_socket.h"

#include <functional>

// Only for the .cpp files of this folder: it is not light.
namespace net::inline transport {

// Takes connections at an address; what becomes of their sockets is the caller's affair. Null: this
// one cannot be served, go on with the next.
using MakeStream = std::function<std::unique_ptr<Stream>(asio::ip::tcp::socket)>;
base::Result<std::unique_ptr<Acceptor>> listen(Loop& loop,
                                               const ListenAddress& address,
                                               MakeStream make);

}  // namespace net::inline transport
