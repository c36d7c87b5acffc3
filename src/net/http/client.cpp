// SPDX-License-Identifier: Apache-2.0
#include "net/http/client.h"

#include "net/async/loop.h"
#include "net/async/semaphore.h"
#include "net/http/exchange.h"
#include "net/http/idle_connections.h"
#include "net/http/request.h"
#include "net/transport/deadline.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace net {

using base::Error;
using base::Instant;
using base::Kind;
using base::Result;
using http::Exchange;
using http::Request;

namespace {

using Limits = http::ResponseParser::Limits;
using Opened = std::unique_ptr<Exchange>;

// The second attempt was not made, but the first one may have taken effect.
Error after_first_attempt(Error error) {
  if (error.is(Kind::unreachable)) return Error(Kind::lost, error.message());
  return error;
}

}  // namespace

class HttpClient::Core {
 public:
  Core(Loop& loop, std::unique_ptr<Connector> connector, HttpOptions options)
      : loop_(loop),
        connector_(std::move(connector)),
        options_(std::move(options)),
        idle_(loop.clock(), options_.most_idle, options_.longest_idle),
        semaphore_(loop, options_.most_in_use) {}

  Loop& loop() { return loop_; }
  const HttpOptions& options() const { return options_; }
  const IdleConnections& idle() const { return idle_; }
  const Semaphore& semaphore() const { return semaphore_; }

  Task<Result<Semaphore::Permit>> acquire(Instant deadline) {
    const Instant begin = loop_.now();
    CO_TRY(std::optional<Semaphore::Permit> permit, co_await semaphore_.acquire(deadline));
    if (permit) co_return std::move(*permit);
    co_return Error(Kind::unreachable,
                    fmt::format("no free connection to {} within {}: all {} are in use",
                                connector_->name(),
                                duration_text(deadline - begin),
                                semaphore_.limit()));
  }

  // Starts an exchange: returns when the header of the answer is complete, with the first part of
  // the body.
  Task<Result<Opened>> start(Request request, Limits limits, Instant deadline, std::string& body) {
    const Instant begin = loop_.now();
    CO_TRY(
        const std::string bytes,
        http::encode(request, options_.authority, options_.user_agent, connector_->forwarding()));
    std::unique_ptr<Stream> stream = idle_.take();
    const bool reused = stream != nullptr;
    if (!reused) {
      CO_TRY(stream, co_await connector_->connect(deadline));
    }
    if (loop_.now() >= deadline)
      co_return Error(
          Kind::unreachable,
          fmt::format("the deadline passed before the request to {} was sent", connector_->name()));

    auto exchange = std::make_unique<Exchange>(std::move(stream), request.method, limits);
    auto begun = co_await talk(*exchange, bytes, body, begin, deadline);
    if (begun.ok()) co_return std::move(exchange);

    const bool was_stale = reused && !exchange->answer_begun() && begun.error().is(Kind::lost);
    if (!was_stale || !request.repeatable || loop_.now() >= deadline)
      co_return std::move(begun).error();

    auto fresh = co_await connector_->connect(deadline);
    if (!fresh.ok()) co_return after_first_attempt(std::move(fresh).error());
    exchange = std::make_unique<Exchange>(std::move(*fresh), request.method, limits);
    CO_TRY_VOID(co_await talk(*exchange, bytes, body, begin, deadline));
    co_return std::move(exchange);
  }

  // Reads the next part within the deadline.
  Task<Result<void>> read_more(Exchange& exchange,
                               std::string& body,
                               Instant begin,
                               Instant deadline) {
    const Deadline guard(loop_, begin, deadline, exchange.stream());
    co_return outcome(guard, co_await exchange.read_more(body));
  }

  void finish(Opened exchange) {
    if (auto stream = exchange->finish()) idle_.put(std::move(stream));
  }

 private:
  Task<Result<void>> talk(Exchange& exchange,
                          const std::string& bytes,
                          std::string& body,
                          Instant begin,
                          Instant deadline) {
    const Deadline guard(loop_, begin, deadline, exchange.stream());
    co_return outcome(guard, co_await exchange.begin(bytes, body));
  }

  // An answer that completes at the deadline is too late: the connection is already closed.
  Result<void> outcome(const Deadline& guard, Result<void> result) const {
    if (guard.passed()) {
      Error error = result.ok() ? Error(Kind::lost, "") : std::move(result).error();
      return guard.explain(std::move(error), connector_->name());
    }
    if (!result.ok()) return std::move(result).error().in(connector_->name());
    return result;
  }

  Loop& loop_;
  std::unique_ptr<Connector> connector_;
  HttpOptions options_;
  IdleConnections idle_;
  Semaphore semaphore_;
};

// The body of an answer that open() returned.
class HttpClient::OpenBody final : public http::Body {
 public:
  OpenBody(std::shared_ptr<Core> core, Opened exchange, std::string ahead)
      : core_(std::move(core)), exchange_(std::move(exchange)), ahead_(std::move(ahead)) {}

  Task<Result<std::size_t>> read(std::string& append_to, Instant deadline) override {
    if (failure_) co_return *failure_;
    const std::size_t before = append_to.size();
    append_to += std::exchange(ahead_, {});
    const Instant begin = core_->loop().now();
    while (append_to.size() == before && exchange_) {
      if (exchange_->answer().complete()) {
        core_->finish(std::move(exchange_));
        break;
      }
      auto more = co_await core_->read_more(*exchange_, append_to, begin, deadline);
      if (!more.ok()) {
        failure_ = std::move(more).error();
        exchange_.reset();
        co_return *failure_;
      }
    }
    co_return append_to.size() - before;
  }

 private:
  std::shared_ptr<Core> core_;
  Opened exchange_;  // null when the body is complete or broken
  std::string ahead_;
  std::optional<Error> failure_;
};

HttpClient::HttpClient(Loop& loop, std::unique_ptr<Connector> connector, HttpOptions options)
    : core_(std::make_shared<Core>(loop, std::move(connector), std::move(options))) {}

HttpClient::~HttpClient() = default;

Task<Result<http::Response>> HttpClient::send(Request request, Instant deadline) {
  const std::shared_ptr<Core> core = core_;
  const Instant begin = core->loop().now();
  CO_TRY([[maybe_unused]] const Semaphore::Permit permit, co_await core->acquire(deadline));

  const Limits limits{core->options().header_limit, core->options().body_limit};
  std::string body;
  CO_TRY(Opened exchange, co_await core->start(std::move(request), limits, deadline, body));
  while (!exchange->answer().complete()) {
    CO_TRY_VOID(co_await core->read_more(*exchange, body, begin, deadline));
  }
  http::Response response(
      exchange->answer().status(), std::move(exchange->answer().headers()), std::move(body));
  core->finish(std::move(exchange));
  co_return response;
}

Task<Result<http::StreamingResponse>> HttpClient::open(Request request, Instant deadline) {
  const std::shared_ptr<Core> core = core_;
  const Limits limits{core->options().header_limit, std::nullopt};
  std::string ahead;
  CO_TRY(Opened exchange, co_await core->start(std::move(request), limits, deadline, ahead));
  const int status = exchange->answer().status();
  std::vector<http::Header> headers = std::move(exchange->answer().headers());
  auto body = std::make_unique<OpenBody>(core, std::move(exchange), std::move(ahead));
  co_return http::StreamingResponse(status, std::move(headers), std::move(body));
}

std::size_t HttpClient::idle() const {
  return core_->idle().size();
}

std::size_t HttpClient::in_use() const {
  return core_->semaphore().in_use();
}

std::size_t HttpClient::waiting() const {
  return core_->semaphore().waiting();
}

}  // namespace net
