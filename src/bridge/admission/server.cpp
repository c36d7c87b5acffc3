// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/server.h"

#include "net/async/task_group.h"

#include <utility>

namespace bridge {

AdmissionServer::AdmissionServer(net::Loop& loop,
                                 Admission& admission,
                                 WebhookOptions options,
                                 const base::Log& log)
    : loop_(loop),
      admission_(admission),
      server_(
          loop,
          [&admission](net::http::Request request) { return admission.answer(std::move(request)); },
          {std::move(options.address), kube::certificate_in(std::move(options.certificates), log)},
          log) {}

base::Result<void> AdmissionServer::ready() const {
  TRY_VOID(server_.ready());
  return admission_.ready();
}

net::Task<void> AdmissionServer::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("admission", admission_.run());
  co_await server_.run();
  tasks.cancel();
  co_await tasks.join();
}

}  // namespace bridge
