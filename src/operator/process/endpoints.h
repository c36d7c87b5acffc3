// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "net/async/loop.h"
#include "net/http_wire/http.h"
#include "operator/process/stores.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace slurmop::process {

struct Address {
  std::string host;  // a name or an address
  std::uint16_t port = 0;

  friend bool operator==(const Address&, const Address&) = default;
};

// Where the daemons of a cluster are reached. Tests, and an operator that runs outside of the
// cluster's network, have their own.
class Endpoints {
 public:
  Endpoints() = default;
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;
  virtual ~Endpoints() = default;

  // Empty while there is none.
  virtual std::optional<Address> slurmrestd(const kube::ObjectKey& cluster) const = 0;
  virtual std::optional<Address> agent(const kube::ObjectKey& cluster) const = 0;
  // Plain HTTP to this address.
  virtual std::unique_ptr<net::http::Transport> connect(const Address& address) = 0;
};

// slurmrestd at the address of its Service, the agent at the address of the controller pod. Both
// come from the stores: no DNS is needed.
class ServiceEndpoints final : public Endpoints {
 public:
  // Both outlive it. `user_agent` is "program/version".
  ServiceEndpoints(net::Loop& loop, const Stores& stores, std::string user_agent);

  std::optional<Address> slurmrestd(const kube::ObjectKey& cluster) const override;
  std::optional<Address> agent(const kube::ObjectKey& cluster) const override;
  std::unique_ptr<net::http::Transport> connect(const Address& address) override;

 private:
  net::Loop& loop_;
  const Stores& stores_;
  std::string user_agent_;
};

}  // namespace slurmop::process
