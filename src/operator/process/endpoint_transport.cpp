// SPDX-License-Identifier: Apache-2.0
#include "operator/process/endpoint_transport.h"

namespace slurmop::process {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Transport;

Result<std::shared_ptr<Transport>> EndpointTransport::current() {
  const std::optional<Address> address = where_();
  if (!address) return Error(Kind::unreachable, what_ + " has no address yet");
  if (address != address_) {
    to_ = endpoints_.connect(*address);
    address_ = address;
  }
  return to_;
}

net::Task<Result<net::http::Response>> EndpointTransport::send(Request request,
                                                               base::Instant deadline) {
  CO_TRY(const std::shared_ptr<Transport> to, current());
  co_return co_await to->send(std::move(request), deadline);
}

net::Task<Result<net::http::StreamingResponse>> EndpointTransport::open(Request request,
                                                                        base::Instant deadline) {
  CO_TRY(const std::shared_ptr<Transport> to, current());
  co_return co_await to->open(std::move(request), deadline);
}

}  // namespace slurmop::process
