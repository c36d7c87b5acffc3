// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"
#include "base/result.h"
#include "bridge/admission/pod_webhook.h"
#include "bridge/admission/server.h"
#include "bridge/config/config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

// How the webhook is served; the port and the folder are those of the reference.
struct WebhookSettings {
  std::string host;  // empty: all addresses of the machine
  std::int32_t port = 9443;
  std::string certificates = "/tmp/k8s-webhook-server/serving-certs";
  std::vector<std::string> bridge_users;  // besides our own name
  bool asked = false;                     // one of its flags was given
};

void add_webhook_flags(base::Flags& flags, WebhookSettings& webhook);

// True if a process with every role serves the webhook: a flag requested it, or there is a
// certificate.
bool has_webhook(const WebhookSettings& webhook);

base::Result<bridge::PodWebhookServerOptions> webhook_options(const WebhookSettings& webhook);
bridge::admission::ManagedNamespaces managed_namespaces(const bridge::config::Config& config);
bridge::PodWebhookOptions admission_options(const WebhookSettings& webhook,
                                            const bridge::config::Config& config);

}  // namespace app
