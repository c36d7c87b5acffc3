// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include "admission_role.h"
#include "bridge/config/watch.h"
#include "bridge/nodes/release.h"
#include "bridge/nodes/taint_plan.h"
#include "bridge/process/cluster_id.h"
#include "bridge/process/exposure.h"
#include "bridge/process/instance.h"
#include "bridge/process/live_holder.h"
#include "diagnostics_server.h"
#include "instance_settings.h"
#include "kube/auth/connect.h"
#include "kube/auth/kubeconfig.h"
#include "kube/client/call_name.h"
#include "net/process/os_signals.h"
#include "net/transport/proxy.h"
#include "slurm/client/call_name.h"
#include "slurm_link.h"
#include "telemetry/metered_transport.h"
#include "version.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

namespace app {
namespace {

using base::Result;

const std::string kUserAgent = fmt::format("slurm-bridge/{}", kVersion);
constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

net::ProxySettings proxies() {
  return net::proxies_of([](const std::string& name) { return environment(name.c_str()); });
}

Result<kube::ClusterConfig> kube_config(const Settings& settings) {
  auto config = settings.kubeconfig.empty()
                    ? kube::in_cluster_config(kServiceAccount,
                                              environment("KUBERNETES_SERVICE_HOST"),
                                              environment("KUBERNETES_SERVICE_PORT"))
                    : kube::load_kubeconfig(settings.kubeconfig);
  if (config.ok()) config->proxies = proxies();
  return config;
}

// Submits, cancels and other calls on behalf of pods.
constexpr std::size_t kSlurmConnections = 8;
// The maximum number of concurrent calls of the mirrors of jobs and nodes (slurm::MirrorOptions),
// so that no poll waits for another call.
constexpr std::size_t kPollConnections = 20;

Result<std::unique_ptr<net::http::Transport>> slurm_transport(net::Loop& loop,
                                                              const bridge::config::Config& config,
                                                              std::size_t connections) {
  return app::slurm_transport(loop, config, {kUserAgent, proxies(), connections});
}

slurm::TokenSource slurm_token(const Settings& settings, const base::Clock& clock) {
  if (!settings.slurm_jwt_file.empty())
    return slurm::TokenSource::from_file(settings.slurm_jwt_file, clock);
  return slurm::TokenSource::fixed(base::Secret(settings.slurm_jwt));
}

// Runs until the operating system requests a stop, or another process leads.
net::Task<void> run_until_stopped(net::Loop& loop,
                                  base::Log log,
                                  bridge::process::Instance& instance,
                                  int& exit_code) {
  net::TaskGroup waiting(loop);
  waiting.spawn("signals", [&]() -> net::Task<void> {
    const int signal = co_await net::wait_for_stop_signal(loop);
    if (signal == 0) co_return;
    log.info("stopping", {{"signal", signal}});
    instance.stop();
  });
  const auto outcome = co_await instance.run();
  if (!outcome.ok()) {
    log.error("ended", {{"error", outcome.error()}});
    exit_code = 1;
  }
  waiting.cancel();
  co_await waiting.join();  // then no task is left, and the loop ends
}

// A process with every role serves the webhook only if it is configured.
bool serves_webhook(const Settings& settings, const base::Log& log) {
  if (!bridge::process::parts_of(settings.role).admission) return false;
  if (!bridge::process::uses_slurm(settings.role)) return true;
  const bool serves = has_webhook(settings.webhook);
  log.info(serves
               ? "the webhook is served"
               : "the webhook is not served: there is neither a certificate nor a --webhook flag",
           {{"certificates", settings.webhook.certificates}});
  return serves;
}

// Runs without Slurm and without leadership: any number of webhooks may answer. `begin_beside`
// starts the other tasks of the process.
void run_webhook_alone(net::Loop& loop,
                       base::Log& log,
                       const std::function<void(net::TaskGroup&)>& begin_beside,
                       AdmissionRole& webhook) {
  net::TaskGroup root(loop);
  root.spawn("process", [&]() -> net::Task<void> {
    net::TaskGroup beside(loop);
    begin_beside(beside);
    net::TaskGroup serving(loop);
    serving.spawn("webhook", webhook.run());
    const int signal = co_await net::wait_for_stop_signal(loop);
    log.info("stopping", {{"signal", signal}});
    webhook.stop();
    co_await serving.join();
    beside.cancel();
    co_await beside.join();
  });
  loop.run();
}

// The clients of a command that is not a role.
struct CommandLinks {
  net::Loop& loop;
  kube::Client& kube;
  slurm::Client& slurm;
  std::string own_ns;
};

void write_line(std::string_view line) {
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

int run(const Settings& settings) {
  base::RealClock clock;
  net::Loop loop(clock);
  base::Log log(write_line, clock, settings.log_format, settings.config.logLevel);
  for (const std::string& warning : settings.warnings) log.warn(warning);

  const auto fail = [&](const base::Error& error) {
    log.error("cannot start", {{"error", error}});
    return 1;
  };
  DiagnosticsServer diagnostics(loop, log);
  if (auto listens = diagnostics.listen(settings.diagnostics); !listens.ok())
    return fail(listens.error());
  auto config = kube_config(settings);
  if (!config.ok()) return fail(config.error());
  kube::Credentials credentials = config->credentials(loop);
  auto kube_link = kube::connect(loop, *config, credentials, kUserAgent);
  if (!kube_link.ok()) return fail(kube_link.error());
  auto lease_link = kube::connect(loop, *config, credentials, kUserAgent);
  if (!lease_link.ok()) return fail(lease_link.error());
  telemetry::Metrics& metrics = diagnostics.metrics();
  const auto kube_calls =
      telemetry::CallMetrics::add_to(metrics, "slurm_bridge_kube", "the API server");
  telemetry::MeteredTransport to_kube(loop, **kube_link, kube_calls, kube::call_name);
  kube::Client kube(to_kube, credentials);
  std::optional<AdmissionRole> webhook;
  if (serves_webhook(settings, log)) {
    auto where = webhook_options(settings.webhook);
    if (!where.ok()) return fail(where.error());
    webhook.emplace(
        loop,
        kube,
        log,
        AdmissionRole::Options{admission_options(settings.webhook, settings.config), *where},
        diagnostics);
  }
  std::function<void(const bridge::config::Config&)> apply_to_instance =
      [](const bridge::config::Config&) {};
  bridge::config::ConfigWatch configuration(loop,
                                            log,
                                            {settings.config_path, settings.overrides},
                                            settings.config,
                                            [&](const bridge::config::Config& changed) {
                                              log.set_level(changed.logLevel);
                                              if (webhook) webhook->apply(changed);
                                              apply_to_instance(changed);
                                            });
  const auto begin_beside = [&](net::TaskGroup& tasks) {
    tasks.spawn("diagnostics", diagnostics.run());
    tasks.spawn("configuration", configuration.run());
  };
  if (!bridge::process::uses_slurm(settings.role)) {
    run_webhook_alone(loop, log, begin_beside, *webhook);
    return 0;
  }

  for (const std::string& remark : remarks_on_slurm_link(settings.config)) log.warn(remark);
  auto slurm_link = slurm_transport(loop, settings.config, kSlurmConnections);
  if (!slurm_link.ok()) return fail(slurm_link.error());
  auto poll_link = slurm_transport(loop, settings.config, kPollConnections);
  if (!poll_link.ok()) return fail(poll_link.error());
  const auto slurm_calls = telemetry::CallMetrics::add_to(metrics, "slurm_bridge_slurm", "Slurm");
  telemetry::MeteredTransport to_leases(loop, **lease_link, kube_calls, kube::call_name);
  telemetry::MeteredTransport to_slurm(loop, **slurm_link, slurm_calls, slurm::call_name);
  telemetry::MeteredTransport to_polls(loop, **poll_link, slurm_calls, slurm::call_name);
  slurm::TokenSource token = slurm_token(settings, clock);
  kube::Client leases(to_leases, credentials);
  slurm::Client slurm(loop, to_slurm, token);
  slurm::Client polls(loop, to_polls, token);
  bridge::process::Instance instance(
      loop, {kube, leases, slurm, polls}, log, instance_options(settings, config->ns));
  bridge::process::register_metrics(instance, metrics);
  bridge::process::register_health_checks(instance, settings.role, diagnostics.health());
  apply_to_instance = [&](const bridge::config::Config& changed) {
    instance.apply(bridge::config::live_settings(changed));
  };

  net::TaskGroup root(loop);
  int exit_code = 0;
  root.spawn("process", [&]() -> net::Task<void> {
    net::TaskGroup shown(loop);
    begin_beside(shown);
    if (webhook) shown.spawn("webhook", webhook->run());
    co_await run_until_stopped(loop, log, instance, exit_code);
    shown.cancel();
    co_await shown.join();
  });
  loop.run();
  return exit_code;
}

namespace {

// Runs `work` with clients of both systems and returns its exit code. Errors go to stderr.
int run_command(const Settings& settings,
                std::string_view command,
                const std::function<net::Task<Result<int>>(CommandLinks)>& work) {
  constexpr auto kPatience = std::chrono::seconds(60);
  base::RealClock clock;
  net::Loop loop(clock);
  const auto fail = [&](const base::Error& error) {
    write_line(fmt::format("slurm-bridge {}: {}\n", command, error.message()));
    return 1;
  };
  auto config = kube_config(settings);
  if (!config.ok()) return fail(config.error());
  kube::Credentials credentials = config->credentials(loop);
  auto kube_link = kube::connect(loop, *config, credentials, kUserAgent);
  if (!kube_link.ok()) return fail(kube_link.error());
  auto slurm_link = slurm_transport(loop, settings.config, kSlurmConnections);
  if (!slurm_link.ok()) return fail(slurm_link.error());
  slurm::TokenSource token = slurm_token(settings, clock);
  kube::Client kube(**kube_link, credentials);
  slurm::Client slurm(loop, **slurm_link, token);

  net::TaskGroup root(loop);
  int exit_code = 0;
  root.spawn("command", [&]() -> net::Task<void> {
    const auto version = co_await slurm.discover(loop.in(kPatience));
    const auto outcome = version.ok() ? co_await work({loop, kube, slurm, config->ns})
                                      : Result<int>(version.error());
    exit_code = outcome.ok() ? *outcome : fail(outcome.error());
  });
  loop.run();
  return exit_code;
}

}  // namespace

int plan_taints(const Settings& settings) {
  return run_command(settings, "plan-taints", [&](CommandLinks links) -> net::Task<Result<int>> {
    CO_TRY(const std::string text,
           co_await bridge::nodes::taint_plan({links.loop, links.kube},
                                              links.slurm,
                                              settings.config.schedulerName,
                                              links.loop.in(std::chrono::seconds(60))));
    (void)std::fputs(text.c_str(), stdout);
    co_return 0;
  });
}

int release_nodes(const Settings& settings, const ReleaseFlags& flags) {
  constexpr auto kCallTimeout = std::chrono::seconds(15);
  return run_command(settings, "release-nodes", [&](CommandLinks links) -> net::Task<Result<int>> {
    const bridge::process::InstanceOptions options = instance_options(settings, links.own_ns);
    const auto& leadership = options.leadership;
    std::optional<bridge::process::LeaseSigns> signs;
    if (leadership) {
      CO_TRY(signs,
             co_await bridge::process::lease_signs(
                 links.loop, links.kube, leadership->leases, kCallTimeout));
    }
    const std::string warning = bridge::process::why_they_may_run(
        signs,
        flags.controllers_are_stopped ? bridge::process::OperatorSays::stopped
                                      : bridge::process::OperatorSays::nothing);
    if (!warning.empty()) write_line(warning + "; they would set everything again\n");
    if (!warning.empty() && flags.yes) co_return 1;
    CO_TRY(const std::string cluster,
           co_await bridge::process::find_cluster_id(
               {links.loop, links.kube}, options.cluster_id_lease, links.loop.in(kCallTimeout)));
    CO_TRY(const std::size_t failed,
           co_await bridge::nodes::release_nodes(
               {links.loop,
                links.kube,
                links.slurm,
                [](const std::string& line) { (void)std::puts(line.c_str()); }},
               {cluster, settings.config.schedulerName, flags.unregister},
               flags.yes ? bridge::nodes::Mode::act : bridge::nodes::Mode::plan,
               kCallTimeout));
    if (!flags.yes) (void)std::puts("nothing was changed: --yes does it");
    co_return failed == 0 ? 0 : 1;
  });
}

}  // namespace app
