// SPDX-License-Identifier: Apache-2.0
#include "webhook_settings.h"

#include "base/integer.h"

#include <filesystem>

namespace app {

using base::Result;

namespace {

void add_text(base::Flags& flags,
              std::string_view name,
              std::string WebhookSettings::* field,
              WebhookSettings& webhook,
              std::string_view help) {
  flags.add(
      name,
      [&webhook, field](std::string_view value) -> Result<void> {
        webhook.*field = value;
        webhook.asked = true;
        return {};
      },
      "string",
      help);
}

}  // namespace

void add_webhook_flags(base::Flags& flags, WebhookSettings& webhook) {
  add_text(flags,
           "webhook-bind-address",
           &WebhookSettings::host,
           webhook,
           "the address at which the webhook is served; default: all addresses");
  add_text(flags,
           "webhook-cert-path",
           &WebhookSettings::certificates,
           webhook,
           "the folder with the webhook's tls.crt and tls.key, which are read again when they "
           "change; default: /tmp/k8s-webhook-server/serving-certs");
  flags.add(
      "webhook-port",
      [&webhook](std::string_view value) -> Result<void> {
        TRY(webhook.port, base::parse_integer<std::uint16_t>(value));
        webhook.asked = true;
        return {};
      },
      "port",
      "of the webhook; default: 9443");
  flags.add("bridge-user",
            &webhook.bridge_users,
            "a user who may change the job label and node annotation as the bridge does; may be "
            "repeated. Default: our own, and the accounts of the other roles");
}

bool has_webhook(const WebhookSettings& webhook) {
  std::error_code ignored;
  return webhook.asked || std::filesystem::is_directory(webhook.certificates, ignored);
}

Result<bridge::PodWebhookServerOptions> webhook_options(const WebhookSettings& webhook) {
  const std::string port = ":" + std::to_string(webhook.port);
  const bool is_v6 = webhook.host.contains(':') && !webhook.host.starts_with('[');
  auto address =
      net::parse_listen_address((is_v6 ? "[" + webhook.host + "]" : webhook.host) + port);
  if (!address.ok()) return std::move(address).error().in("--webhook-bind-address");
  return bridge::PodWebhookServerOptions{*std::move(address), webhook.certificates};
}

bridge::admission::ManagedNamespaces managed_namespaces(const bridge::config::Config& config) {
  return {config.managedNamespaces, config.managedNamespaceSelector, config.daemonSetNamespaces};
}

bridge::PodWebhookOptions admission_options(const WebhookSettings& webhook,
                                            const bridge::config::Config& config) {
  return {config.schedulerName,
          managed_namespaces(config),
          {webhook.bridge_users.begin(), webhook.bridge_users.end()}};
}

}  // namespace app
