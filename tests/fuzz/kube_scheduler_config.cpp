// SPDX-License-Identifier: Apache-2.0
// A KubeSchedulerConfiguration, as an administrator writes it.
#include "bridge/config/kube_scheduler_config.h"

#include "fuzz/check.h"
#include "json/value.h"

#include <algorithm>

namespace {

using bridge::config::KubeSchedulerConfig;
using fuzz::check;

bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// The same configuration in another form: JSON is YAML too.
std::string as_json(const KubeSchedulerConfig& config) {
  const auto nanoseconds = [](base::Duration duration) {
    return std::to_string(std::chrono::nanoseconds(duration).count()) + "ns";
  };
  return json::Value(
             json::Object{
                 {"apiVersion", "kubescheduler.config.k8s.io/v1"},
                 {"kind", "KubeSchedulerConfiguration"},
                 {"profiles", json::Array{json::Object{{"schedulerName", config.schedulerName}}}},
                 {"leaderElection",
                  json::Object{{"leaderElect", config.leaderElect},
                               {"resourceName", config.resourceName},
                               {"resourceNamespace", config.resourceNamespace},
                               {"leaseDuration", std::to_string(config.times.lease.count()) + "s"},
                               {"renewDeadline", nanoseconds(config.times.renew_deadline)},
                               {"retryPeriod", nanoseconds(config.times.retry)}}},
                 {"clientConnection", json::Object{{"kubeconfig", config.kubeconfig}}}})
      .dump();
}

bool equal(const KubeSchedulerConfig& a, const KubeSchedulerConfig& b) {
  return a.schedulerName == b.schedulerName && a.leaderElect == b.leaderElect &&
         a.resourceName == b.resourceName && a.resourceNamespace == b.resourceNamespace &&
         a.kubeconfig == b.kubeconfig && a.times.lease == b.times.lease &&
         a.times.renew_deadline == b.times.renew_deadline && a.times.retry == b.times.retry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = bridge::config::parse_kube_scheduler_config(text);
  if (!read.ok()) {
    check(!read.error().message().empty(), "an error has a message");
    return 0;
  }
  if (!read->has_value()) return 0;
  const KubeSchedulerConfig& config = **read;
  check(kube::check(config.times).ok(), "times that are accepted are a working election");
  for (const std::string& warning : config.warnings)
    check(!warning.empty() && !warning.contains('\n'), "a warning is one line");
  if (!is_plain(config.schedulerName + config.resourceName + config.resourceNamespace +
                config.kubeconfig))
    return 0;
  const auto again = bridge::config::parse_kube_scheduler_config(as_json(config));
  check(again.ok() && again->has_value(), "an accepted configuration can be written and read");
  check(equal(**again, config), "and is the same");
  return 0;
}
