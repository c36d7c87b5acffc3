// SPDX-License-Identifier: Apache-2.0
#include "kube/admission/webhook_server.h"

#include "net/async/loop.h"
#include "net/async/task_group.h"

#include <chrono>
#include <utility>

namespace kube::inline admission {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using namespace std::chrono_literals;

constexpr auto kRetryInterval = 1s;
constexpr auto kGrace = 5s;  // as long as the API server waits for an answer

// An object has up to 3 MB in the API server, and an update also contains the old object.
net::HttpServerLimits limits() {
  net::HttpServerLimits limits;
  limits.header_bytes = 16UL << 10U;
  limits.body_bytes = 8UL << 20U;
  limits.connections = 256;
  limits.receiving_bytes = 64UL << 20U;
  return limits;
}

}  // namespace

CertificateSource certificate_in(std::string folder, base::Log log) {
  return [folder = std::move(folder), log = std::move(log)] {
    return net::ServerCertificate::load({folder + "/tls.crt", folder + "/tls.key"}, log);
  };
}

WebhookServer::WebhookServer(net::Loop& loop,
                             net::http::Handler handler,
                             WebhookServerOptions options,
                             const base::Log& log)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      server_(loop, std::move(handler), limits(), log),
      over_(loop),
      problem_("not started yet") {}

Result<void> WebhookServer::ready() const {
  if (!listens_) return Error(Kind::unavailable, problem_);
  return {};
}

Result<std::unique_ptr<net::Acceptor>> WebhookServer::try_to_open() {
  TRY(certificate_, options_.certificate());
  return net::listen_tls(loop_, options_.address, certificate_);
}

net::Task<void> WebhookServer::serve() {
  for (;;) {
    auto acceptor = try_to_open();
    if (acceptor.ok()) {
      log_.info("listening", {{"for", "webhook"}, {"port", (*acceptor)->port()}});
      server_.accept_from(std::move(*acceptor));
      break;
    }
    const std::string& why = acceptor.error().message();
    if (std::exchange(problem_, why) != why)
      log_.warn("the webhook cannot be served yet", {{"error", acceptor.error()}});
    if (!(co_await loop_.sleep_for(kRetryInterval)).ok()) co_return;
  }
  listens_ = true;
  co_await certificate_->keep_fresh(loop_);
}

net::Task<void> WebhookServer::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("webhook", serve());
  const auto stopped = co_await over_.wait();
  co_await server_.stop(stopped.ok() ? loop_.in(kGrace) : loop_.now());
  tasks.cancel();
  co_await tasks.join();
}

}  // namespace kube::inline admission
