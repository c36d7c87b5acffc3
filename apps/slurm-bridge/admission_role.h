// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/pod_webhook.h"
#include "bridge/admission/server.h"
#include "diagnostics_server.h"
#include "webhook_settings.h"

namespace app {

// The role "admission" of a process: its webhook, with metrics and a readiness probe.
//
// Expects     that all it is given outlives it, and run() as a task of a group that ends before it.
class AdmissionRole {
 public:
  struct Options {
    bridge::PodWebhookOptions webhook;
    bridge::PodWebhookServerOptions server;
  };

  AdmissionRole(net::Loop& loop,
                kube::Client& kube,
                const base::Log& log,
                Options options,
                DiagnosticsServer& diagnostics);

  net::Task<void> run() { return server_.run(); }
  void stop() { server_.stop(); }
  void apply(const bridge::config::Config& config) { webhook_.apply(managed_namespaces(config)); }

 private:
  bridge::PodWebhook webhook_;
  bridge::PodWebhookServer server_;
};

}  // namespace app
