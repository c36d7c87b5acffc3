// SPDX-License-Identifier: Apache-2.0
#include "served_webhook.h"

#include <utility>

namespace app {

ServedWebhook::ServedWebhook(net::Loop& loop,
                             kube::Client& kube,
                             const base::Log& log,
                             Options options,
                             DiagnosticsServer& diagnostics)
    : admission_(loop, kube, log, std::move(options.admission), diagnostics.metrics()),
      server_(loop, admission_, std::move(options.server), log) {
  diagnostics.health().add("admission", [this] { return server_.ready(); });
}

}  // namespace app
