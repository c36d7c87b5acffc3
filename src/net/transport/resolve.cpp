// SPDX-License-Identifier: Apache-2.0
#include "net/async/loop.h"
#include "net/async/waiter.h"
#include "net/transport/tcp_socket.h"

#include <fmt/format.h>

#include <memory>

namespace net::inline transport {
namespace {

using asio::ip::tcp;
using base::Error;
using base::Kind;
using base::Result;
using Endpoints = std::vector<tcp::endpoint>;

// Outlives the task that started it, because getaddrinfo cannot be interrupted.
struct Lookup {
  explicit Lookup(const asio::any_io_executor& executor) : resolver(executor) {}

  tcp::resolver resolver;
  Waiter* waiter = nullptr;
  boost::system::error_code problem;
  Endpoints found;
};

}  // namespace

Task<Result<Endpoints>> resolve(Loop& loop,
                                std::string host,
                                std::uint16_t port,
                                base::Instant deadline) {
  boost::system::error_code not_an_address;
  const auto address = asio::ip::make_address(host, not_an_address);
  if (!not_an_address) co_return Endpoints(1, tcp::endpoint(address, port));

  const auto lookup = std::make_shared<Lookup>(loop.executor());
  Waiter waiter(loop);
  lookup->waiter = &waiter;
  lookup->resolver.async_resolve(host,
                                 std::to_string(port),
                                 tcp::resolver::numeric_service,
                                 [lookup](const auto& problem, const auto& results) {
                                   lookup->problem = problem;
                                   for (const auto& one : results)
                                     lookup->found.push_back(one.endpoint());
                                   if (lookup->waiter != nullptr) lookup->waiter->call();
                                 });
  const Waiter::Woken woken = co_await waiter.until(deadline);
  lookup->waiter = nullptr;
  if (woken != Waiter::Woken::called) lookup->resolver.cancel();

  if (woken == Waiter::Woken::cancelled) co_return cancelled();
  if (woken == Waiter::Woken::timed_out)
    co_return Error(Kind::unreachable, "its name was not resolved in time");
  if (lookup->problem || lookup->found.empty())
    co_return Error(Kind::unreachable,
                    fmt::format("its name cannot be resolved: {}", lookup->problem.message()));
  co_return std::move(lookup->found);
}

}  // namespace net::inline transport
