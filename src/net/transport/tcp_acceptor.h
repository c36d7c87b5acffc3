// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/transport/acceptor.h"
#include "net/transport/tcp_socket.h"

#include <functional>

// Only for the .cpp files of this folder, because its includes are heavy.
namespace net::inline transport {

// Accepts connections at an address; the callback makes a stream of each socket. Null: this
// connection cannot be served, continue with the next.
using MakeStream = std::function<std::unique_ptr<Stream>(asio::ip::tcp::socket)>;
base::Result<std::unique_ptr<Acceptor>> listen(Loop& loop,
                                               const ListenAddress& address,
                                               MakeStream make);

}  // namespace net::inline transport
