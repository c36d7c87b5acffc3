// SPDX-License-Identifier: Apache-2.0
#include "role_flags.h"

#include "base/ascii.h"
#include "base/duration.h"
#include "base/integer.h"
#include "base/quote.h"
#include "kube_scheduler_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace app {
namespace {

using base::Error;
using base::Flags;
using base::Kind;
using base::Result;

// From this klog level on, messages are for developers only.
constexpr std::int32_t kDebugVerbosity = 4;

constexpr std::int32_t kMostWorkers = 1024;

// A flag that sets a key of the file.
struct KeyFlag {
  std::string_view name;
  std::string_view path;
  std::string_view type;  // empty for a boolean
  std::string_view help;
};

constexpr auto kKeyFlags = std::to_array<KeyFlag>({
    {"slurm-rest-api", "slurmRestApi", "url", "where slurmrestd is, such as http://host:6820"},
    {"slurm-rest-api-ca-file",
     "slurmRestApiCaFile",
     "file",
     "certificate authorities (PEM) for https to slurmrestd; default: the system's"},
    {"scheduler-name", "schedulerName", "string", "the spec.schedulerName of the pods we serve"},
    {"partition", "partition", "string", "the Slurm partition of pods that name none"},
    {"leader-elect",
     "features.enableLeaderElection",
     "",
     "several processes may run and one of them acts: the one that holds the Lease"},
    {"metrics-secure",
     "features.secureMetrics",
     "",
     "serve /metrics over TLS, with the certificate of --metrics-cert-path or a self-signed one"},
    {"enable-http2",
     "features.enableHTTP2",
     "",
     "accepted for compatibility; HTTP/1.1 is served in any case"},
    {"zap-log-level", "logLevel", "level", "debug, info, warn or error"},
});

void add_key_flags(Flags& flags, ParsedFlags& values) {
  for (const KeyFlag& flag : kKeyFlags) {
    flags.add(
        flag.name,
        [&values, flag](std::string_view value) -> Result<void> {
          values.overrides.push_back(
              {flag.path, std::string(value), fmt::format("--{}", flag.name)});
          return {};
        },
        flag.type,
        flag.help);
  }
  flags.add(
      "v",
      [&values](std::string_view value) -> Result<void> {
        TRY(const std::int32_t verbosity, base::parse_integer<std::int32_t>(value));
        values.overrides.push_back(
            {"logLevel", verbosity >= kDebugVerbosity ? "debug" : "info", "--v"});
        return {};
      },
      "int",
      fmt::format("log verbosity of klog; {} and more is debug", kDebugVerbosity));
}

void add_lease_flags(Flags& flags, ParsedFlags& values) {
  flags.add("leader-election-id",
            &values.lease_names,
            "the Lease to hold, instead of the reference's Lease for this role");
  flags.add("leader-election-namespace",
            &values.lease_namespace,
            "the namespace of the Lease; default: our own");
}

void add_diagnostics_flags(Flags& flags, DiagnosticsSettings& diagnostics) {
  flags.add("metrics-bind-address",
            &diagnostics.metrics_address,
            "where /metrics is served, such as :8080 or 127.0.0.1:8080; 0: nowhere");
  flags.add("health-probe-bind-address",
            &diagnostics.probe_address,
            "where /healthz and /readyz are served; 0: nowhere");
  flags.add(
      "metrics-cert-path",
      &diagnostics.metrics_cert_path,
      "the folder with tls.crt and tls.key for --metrics-secure; read again when they change");
}

Result<void> take_time_encoding(ParsedFlags& values, std::string_view value) {
  constexpr std::string_view kNumbers[] = {"epoch", "millis", "nano", "nanos"};
  constexpr std::string_view kTexts[] = {"iso8601", "rfc3339", "rfc3339nano"};
  const std::string word = base::ascii_lower(value);
  const bool number = std::ranges::find(kNumbers, word) != std::end(kNumbers);
  if (!number && std::ranges::find(kTexts, word) == std::end(kTexts))
    return Error(
        Kind::invalid,
        base::quoted(value) + " is none of epoch, millis, nanos, iso8601, rfc3339 and rfc3339nano");
  if (number)
    values.warnings.push_back("--zap-time-encoding: times are written as RFC 3339 in any case");
  return {};
}

void add_log_flags(Flags& flags, ParsedFlags& values) {
  flags.add("zap-devel",
            &values.zap_devel,
            "for developers: --zap-encoder=console and --zap-log-level=debug unless set otherwise");
  flags.add(
      "zap-encoder",
      [&values](std::string_view value) -> Result<void> {
        TRY(values.log_format, base::parse_log_format(value));
        return {};
      },
      "format",
      "json or console");
  flags.add(
      "zap-time-encoding",
      [&values](std::string_view value) { return take_time_encoding(values, value); },
      "name",
      "accepted for compatibility; times are written as RFC 3339 in any case");
  flags.ignore("zap-stacktrace-level", Flags::Takes::value, "errors have no stack trace here");
}

void add_worker_flag(Flags& flags, std::string_view name, std::int32_t* into) {
  flags.add(
      name,
      [into](std::string_view value) -> Result<void> {
        TRY(const std::int32_t workers, base::parse_integer<std::int32_t>(value));
        if (workers < 1 || workers > kMostWorkers)
          return Error(Kind::invalid, fmt::format("must be from 1 to {}", kMostWorkers));
        *into = workers;
        return {};
      },
      "int",
      fmt::format("how many the controllers process at once (default {})", *into));
}

}  // namespace

void add_flags(Flags& flags, Role role, ParsedFlags& values) {
  flags.add("config",
            &values.config_path,
            role == Role::scheduler
                ? "the shared configuration file, or a KubeSchedulerConfiguration"
                : "the shared configuration file");
  flags.add("kubeconfig",
            &values.kubeconfig,
            "how to reach the API server; default: KUBECONFIG, else the pod's service account");
  add_key_flags(flags, values);
  add_lease_flags(flags, values);
  add_diagnostics_flags(flags, values.diagnostics);
  if (bridge::process::parts_of(role).admission) add_webhook_flags(flags, values.webhook);
  add_log_flags(flags, values);
  add_worker_flag(flags, "pod-workers", &values.pod_workers);
  add_worker_flag(flags, "node-workers", &values.node_workers);
  flags.add(
      "version",
      [&values](std::string_view value) -> Result<void> {
        if (value == "raw") {  // the form of kube-scheduler for more details
          values.version = true;
          return {};
        }
        TRY(values.version, base::parse_bool(value));
        return {};
      },
      "",
      "print the version and exit");
  if (role == Role::scheduler) add_kube_scheduler_flags(flags, values);
}

}  // namespace app
