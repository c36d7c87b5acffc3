// SPDX-License-Identifier: Apache-2.0
#include "admission_role.h"

#include <utility>

namespace app {

AdmissionRole::AdmissionRole(net::Loop& loop,
                             kube::Client& kube,
                             const base::Log& log,
                             Options options,
                             DiagnosticsServer& diagnostics)
    : webhook_(loop, kube, log, std::move(options.webhook), diagnostics.metrics()),
      server_(loop, webhook_, std::move(options.server), log) {
  diagnostics.health().add("admission", [this] { return server_.ready(); });
}

}  // namespace app
