// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/admission.h"
#include "bridge/admission/server.h"
#include "diagnostics_server.h"
#include "webhook_settings.h"

namespace app {

// The webhook of one process, with its metrics and probes.
//
// Expects     all arguments outlive it; run() is a task of a group that ends before it.
class ServedWebhook {
 public:
  struct Options {
    bridge::AdmissionOptions admission;
    bridge::WebhookOptions server;
  };

  ServedWebhook(net::Loop& loop,
                kube::Client& kube,
                const base::Log& log,
                Options options,
                DiagnosticsServer& diagnostics);

  net::Task<void> run() { return server_.run(); }
  void stop() { server_.stop(); }
  void apply(const bridge::config::Config& config) { admission_.apply(managed_namespaces(config)); }

 private:
  bridge::Admission admission_;
  bridge::AdmissionServer server_;
};

}  // namespace app
