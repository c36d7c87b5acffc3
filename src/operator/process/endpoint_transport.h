// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"
#include "operator/process/endpoints.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace slurmop::process {

// A transport to an address that may change or be absent.
//
// Expects     that the endpoints outlive it and every call.
// Guarantees  each request goes to the address at its time; Kind::unreachable, with `what`, while
//             there is none.
class EndpointTransport final : public net::http::Transport {
 public:
  using Where = std::function<std::optional<Address>()>;

  // `what` is for messages: "the Service of slurmrestd".
  EndpointTransport(Endpoints& endpoints, Where where, std::string what)
      : endpoints_(endpoints), where_(std::move(where)), what_(std::move(what)) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override;
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override;

 private:
  base::Result<std::shared_ptr<net::http::Transport>> current();

  Endpoints& endpoints_;
  Where where_;
  std::string what_;
  std::optional<Address> address_;
  std::shared_ptr<net::http::Transport> to_;  // shared with requests in progress
};

}  // namespace slurmop::process
