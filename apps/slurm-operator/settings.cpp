// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "base/integer.h"
#include "base/quote.h"
#include "cluster_domain.h"
#include "controller_names.h"
#include "operator/process/watched_namespaces.h"

#include <algorithm>
#include <array>

namespace operator_app {
namespace {

using base::Error;
using base::Flags;
using base::Kind;
using base::Result;

Result<base::LogFormat> log_format(std::string_view value) {
  if (value == "plain") return base::LogFormat::human;
  if (value == "json") return base::LogFormat::json;
  return Error(Kind::invalid, base::quoted(value) + " is neither json nor plain");
}

void add_log_flags(Flags& flags, Settings& settings) {
  flags.add(
      "log-format",
      [&settings](std::string_view value) -> Result<void> {
        TRY(settings.log_format, log_format(value));
        return {};
      },
      "format",
      "json or plain (default json)");
  flags.add(
      "log-level",
      [&settings](std::string_view value) -> Result<void> {
        TRY(settings.log_level, base::parse_log_level(value));
        return {};
      },
      "level",
      "debug, info, warn or error (default info)");
}

void add_process_flags(Flags& flags, Settings& settings) {
  flags.add("metrics-bind-address",
            &settings.metrics_address,
            "where /metrics is served, such as :8443; 0: nowhere");
  flags.add("metrics-secure",
            &settings.metrics_secure,
            "serve /metrics over TLS with a self-signed certificate");
  flags.add("health-probe-bind-address",
            &settings.probe_address,
            "where /healthz and /readyz are served; 0: nowhere");
  flags.add("enable-http2",
            &settings.enable_http2,
            "accepted for compatibility; HTTP/1.1 is served in any case");
  flags.add("operator-namespace",
            &settings.operator_namespace,
            "the namespace of the Lease and of the webhook's Secret; default: that of the pod");
  flags.add("leader-elect",
            &settings.leader_elect,
            "several processes may run and one of them acts: the one that holds the Lease");
  flags.add("cache-sync-timeout",
            &settings.cache_sync_timeout,
            "end with an error if the caches are not filled within this time");
  flags.add("kubeconfig",
            &settings.kubeconfig,
            "how to reach the API server; default: KUBECONFIG, else the pod's service account");
}

void add_reconcile_flags(Flags& flags, Settings& settings) {
  flags.add(
      "max-concurrent-reconciles",
      [&settings](std::string_view value) -> Result<void> {
        constexpr std::int32_t kMost = 1024;
        TRY(settings.workers, base::parse_integer<std::int32_t>(value));
        if (settings.workers < 1 || settings.workers > kMost)
          return Error(Kind::invalid, "must be from 1 to 1024");
        return {};
      },
      "int",
      "how many clusters are handled at once (default 1)");
  flags.add(
      "controllers",
      [](std::string_view value) { return check_controllers(value); },
      "list",
      "soperator's controllers to run; accepted and checked, one controller does all of it here");
}

void add_cluster_flags(Flags& flags, Settings& settings) {
  slurmop::settle::Defaults& defaults = settings.defaults;
  flags.add("slurm-image",
            &defaults.slurm_image,
            "the image of Slurm's daemons in clusters that name none");
  flags.add("database-image", &defaults.database_image, "the image of the accounting database");
  flags.add(
      "image-pull-policy",
      [&defaults](std::string_view value) -> Result<void> {
        constexpr auto kPolicies =
            std::to_array<std::string_view>({"Always", "IfNotPresent", "Never"});
        if (std::ranges::find(kPolicies, value) == kPolicies.end())
          return Error(Kind::invalid,
                       base::quoted(value) + " is none of Always, IfNotPresent and Never");
        defaults.pull_policy = value;
        return {};
      },
      "policy",
      "of images in clusters that name none (default IfNotPresent)");
  flags.add("cluster-domain",
            &defaults.cluster_domain,
            "the domain of the cluster's DNS; default: from /etc/resolv.conf, else cluster.local");
}

void add_webhook_flags(Flags& flags, WebhookSettings& webhook) {
  flags.add("webhook-bind-address", &webhook.address, "where the validating webhook is served");
  flags.add("webhook-service", &webhook.service, "the Service of the webhook");
  flags.add("webhook-configuration",
            &webhook.configuration,
            "the ValidatingWebhookConfiguration that gets the certificate authority");
  flags.add("webhook-secret", &webhook.secret, "the Secret with the webhook's certificates");
}

void warn_of_unused(Settings& settings, const ProcessEnvironment& process) {
  for (const char* name :
       {"IS_PROMETHEUS_CRD_INSTALLED", "IS_MARIADB_CRD_INSTALLED", "IS_APPARMOR_CRD_INSTALLED"}) {
    if (process.environment(name) == "true")
      settings.warnings.push_back(std::string(name) +
                                  " has no effect: no objects of other operators are created");
  }
  if (settings.enable_http2)
    settings.warnings.emplace_back("-enable-http2: HTTP/1.1 is served; there is no HTTP/2 here");
}

}  // namespace

void add_flags(Flags& flags, Settings& settings) {
  settings.defaults.cluster_domain.clear();
  add_process_flags(flags, settings);
  add_log_flags(flags, settings);
  add_reconcile_flags(flags, settings);
  add_cluster_flags(flags, settings);
  add_webhook_flags(flags, settings.webhook);
}

Result<void> complete(Settings& settings, const ProcessEnvironment& process) {
  auto namespaces =
      slurmop::process::watched_namespaces(process.environment("SLURM_OPERATOR_WATCH_NAMESPACES"));
  if (!namespaces.ok()) return std::move(namespaces).error().in("SLURM_OPERATOR_WATCH_NAMESPACES");
  settings.namespaces = std::move(*namespaces);
  if (auto fine = check_controllers(process.environment("SLURM_OPERATOR_CONTROLLERS"));
      !fine.ok()) {
    return std::move(fine).error().in("SLURM_OPERATOR_CONTROLLERS");
  }
  settings.webhook.enabled = process.environment("ENABLE_WEBHOOKS") != "false";
  if (settings.kubeconfig.empty()) settings.kubeconfig = process.environment("KUBECONFIG");
  if (settings.defaults.cluster_domain.empty())
    settings.defaults.cluster_domain = cluster_domain_in(process.resolv_conf);
  warn_of_unused(settings, process);
  return {};
}

}  // namespace operator_app
