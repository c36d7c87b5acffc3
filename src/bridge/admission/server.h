// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/pod_webhook.h"
#include "kube/admission/webhook_server.h"

#include <string>

namespace bridge {

struct PodWebhookServerOptions {
  net::ListenAddress address;
  std::string certificates;  // the folder of tls.crt and tls.key
};

// Serves admission over the network; kube::WebhookServer has the guarantees.
class PodWebhookServer {
 public:
  PodWebhookServer(net::Loop& loop,
                   PodWebhook& webhook,
                   PodWebhookServerOptions options,
                   const base::Log& log);

  // Serves until stop(), after which requests in progress are completed, or until cancelled.
  net::Task<void> run();
  void stop() { server_.stop(); }

  // Success if it listens and can answer, otherwise what is missing.
  base::Result<void> ready() const;

 private:
  net::Loop& loop_;
  PodWebhook& webhook_;
  kube::WebhookServer server_;
};

}  // namespace bridge
