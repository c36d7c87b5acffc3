// SPDX-License-Identifier: Apache-2.0
#include "kube_scheduler_flags.h"

#include "base/duration.h"
#include "base/integer.h"
#include "role_flags.h"

#include <string_view>

namespace app {
namespace {

using base::Flags;
using base::Result;

constexpr std::string_view kValuesWithoutMeaning[] = {
    "allow-metric-labels",
    "allow-metric-labels-manifest",
    "authentication-kubeconfig",
    "authentication-token-webhook-cache-ttl",
    "authorization-always-allow-paths",
    "authorization-kubeconfig",
    "authorization-webhook-cache-authorized-ttl",
    "authorization-webhook-cache-unauthorized-ttl",
    "cert-dir",
    "client-ca-file",
    "disabled-metrics",
    "emulated-version",
    "feature-gates",
    "http2-max-streams-per-connection",
    "kube-api-burst",
    "kube-api-content-type",
    "kube-api-qps",
    "leader-elect-resource-lock",
    "log-flush-frequency",
    "log-json-info-buffer-size",
    "log-text-info-buffer-size",
    "master",
    "min-compatibility-version",
    "pod-max-in-unschedulable-pods-duration",
    "requestheader-allowed-names",
    "requestheader-client-ca-file",
    "requestheader-extra-headers-prefix",
    "requestheader-group-headers",
    "requestheader-uid-headers",
    "requestheader-username-headers",
    "show-hidden-metrics-for-version",
    "tls-cipher-suites",
    "tls-curve-preferences",
    "tls-min-version",
    "tls-sni-cert-key",
    "vmodule",
    "write-config-to",
};

constexpr std::string_view kSwitchesWithoutMeaning[] = {
    "authentication-skip-lookup",
    "authentication-tolerate-lookup-failure",
    "contention-profiling",
    "disable-http2-serving",
    "emulation-forward-compatible",
    "log-json-split-stream",
    "log-text-split-stream",
    "permit-address-sharing",
    "permit-port-sharing",
    "profiling",
};

constexpr std::string_view kWhy = "it has no meaning for this scheduler";

void add_duration(Flags& flags,
                  std::string_view name,
                  std::optional<base::Duration>& into,
                  std::string_view help) {
  flags.add(
      name,
      [&into](std::string_view value) -> Result<void> {
        TRY(into, base::parse_duration(value));
        return {};
      },
      "duration",
      help);
}

// kube-scheduler serves its probes over TLS at a port of its own, not at
// --health-probe-bind-address.
void add_secure_port(Flags& flags, ParsedFlags& values) {
  flags.add(
      "secure-port",
      [&values](std::string_view value) -> Result<void> {
        TRY(const auto port, base::parse_integer<std::uint16_t>(value));
        values.secure_port = port;
        return {};
      },
      "port",
      "where /healthz and /readyz are served over TLS; 0: nowhere; default: 10259 if --config is a "
      "KubeSchedulerConfiguration, else nowhere");
  flags.add("bind-address", &values.bind_address, "the address of --secure-port; default: all");
  flags.add("tls-cert-file",
            &values.diagnostics.tls_cert_file,
            "the certificate of --secure-port; default: a self-signed one");
  flags.add("tls-private-key-file", &values.diagnostics.tls_key_file, "the key of --tls-cert-file");
}

}  // namespace

void add_kube_scheduler_flags(Flags& flags, ParsedFlags& values) {
  flags.add("bridge-config",
            &values.bridge_config_path,
            "the shared configuration file, if --config is a KubeSchedulerConfiguration");
  flags.add(
      "leader-elect-resource-name",
      [&values](std::string_view value) -> Result<void> {
        values.lease_names = {std::string(value)};
        return {};
      },
      "string",
      "kube-scheduler's name for --leader-election-id");
  flags.add("leader-elect-resource-namespace",
            &values.lease_namespace,
            "kube-scheduler's name for --leader-election-namespace");
  add_duration(flags,
               "leader-elect-lease-duration",
               values.lease_duration,
               "how long a lease is valid without renewal; default 15s");
  add_duration(flags,
               "leader-elect-renew-deadline",
               values.renew_deadline,
               "how long a leader tries to renew before it gives up; default 10s");
  add_duration(flags,
               "leader-elect-retry-period",
               values.retry_period,
               "how long to wait between two attempts; default 2s");
  flags.add(
      "logging-format",
      [&values](std::string_view value) -> Result<void> {
        TRY(values.log_format, base::parse_log_format(value == "text" ? "console" : value));
        return {};
      },
      "format",
      "text or json");
  add_secure_port(flags, values);
  for (const std::string_view name : kValuesWithoutMeaning)
    flags.ignore(name, Flags::Takes::value, kWhy);
  for (const std::string_view name : kSwitchesWithoutMeaning)
    flags.ignore(name, Flags::Takes::nothing, kWhy);
}

}  // namespace app
