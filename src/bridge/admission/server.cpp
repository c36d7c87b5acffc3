// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/server.h"

#include "net/async/task_group.h"

#include <utility>

namespace bridge {

PodWebhookServer::PodWebhookServer(net::Loop& loop,
                                   PodWebhook& webhook,
                                   PodWebhookServerOptions options,
                                   const base::Log& log)
    : loop_(loop),
      webhook_(webhook),
      server_(
          loop,
          [&webhook](net::http::Request request) { return webhook.answer(std::move(request)); },
          {std::move(options.address), kube::certificate_in(std::move(options.certificates), log)},
          log) {}

base::Result<void> PodWebhookServer::ready() const {
  TRY_VOID(server_.ready());
  return webhook_.ready();
}

net::Task<void> PodWebhookServer::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("admission", webhook_.run());
  co_await server_.run();
  tasks.cancel();
  co_await tasks.join();
}

}  // namespace bridge
