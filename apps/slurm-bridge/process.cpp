// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include "bridge/job_claim.h"
#include "bridge/orphan_sweeper.h"
#include "bridge/picture.h"
#include "bridge/pod_syncer.h"
#include "bridge/scheduler.h"
#include "kube/connect.h"
#include "kube/kubeconfig.h"
#include "kube/reflector.h"
#include "net/connector.h"
#include "net/http_client.h"
#include "net/os_signals.h"
#include "net/url.h"
#include "slurm/mirror.h"
#include "version.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace app {
namespace {

using base::Result;
using namespace std::chrono_literals;

const std::string kUserAgent = fmt::format("slurm-bridge/{}", kVersion);
constexpr auto kStartTimeout = 10s;
constexpr auto kTryAgain = 1s;
constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

Result<kube::ClusterConfig> kube_config(const Settings& settings) {
  if (!settings.kubeconfig.empty()) return kube::load_kubeconfig(settings.kubeconfig);
  return kube::in_cluster_config(kServiceAccount,
                                 environment("KUBERNETES_SERVICE_HOST"),
                                 environment("KUBERNETES_SERVICE_PORT"));
}

Result<std::unique_ptr<net::http::Transport>> slurm_transport(net::Loop& loop,
                                                              const std::string& address) {
  auto url = net::parse_url(address);
  if (!url.ok()) return std::move(url).error().in("slurmRestApi");
  TRY(auto connector, net::make_connector(loop, *url, net::TlsOptions()));
  net::HttpOptions options;
  options.authority = url->authority();
  options.user_agent = kUserAgent;
  return std::unique_ptr<net::http::Transport>(
      std::make_unique<net::HttpClient>(loop, std::move(connector), std::move(options)));
}

slurm::TokenSource slurm_token(const Settings& settings, const base::Clock& clock) {
  if (!settings.slurm_jwt_file.empty())
    return slurm::TokenSource::from_file(settings.slurm_jwt_file, clock);
  return slurm::TokenSource::fixed(base::Secret(settings.slurm_jwt));
}

Result<std::string> uid_in(const std::string& object_text) {
  json::Parser parser;
  TRY(const json::Node object, parser.parse(object_text));
  const auto metadata = object.find("metadata");
  const auto uid = metadata ? metadata->find("uid") : std::nullopt;
  if (!uid || !uid->as_string() || uid->as_string()->empty()) {
    return base::Error(base::Kind::protocol, "an object without metadata.uid");
  }
  return std::string(*uid->as_string());
}

// The parts of a running bridge, made when both systems have been reached once.
struct Roles {
  Roles(const bridge::Links& links, slurm::Mirror& mirror, workload::Bridge identity, Role role)
      : picture(mirror, std::move(identity)),
        pod_reflector(links.loop,
                      links.kube,
                      {kube::kPods, "", "", "spec.schedulerName=" + links.scheduler_name},
                      picture.pods(),
                      links.log),
        node_reflector(
            links.loop, links.kube, {kube::kNodes, "", "", ""}, picture.nodes(), links.log) {
    if (role != Role::controllers) scheduler.emplace(links, picture);
    if (role != Role::scheduler) {
      pod_syncer.emplace(links, picture);
      orphan_sweeper.emplace(links, picture);
    }
  }

  void start(net::TaskGroup& tasks) {
    if (scheduler) scheduler->start();
    if (pod_syncer) pod_syncer->start();
    pod_reflector.on_recovery([this] {
      if (scheduler) scheduler->retry_failed();
      if (pod_syncer) pod_syncer->retry_failed();
    });
    if (orphan_sweeper) tasks.spawn("orphan sweeper", orphan_sweeper->run());
    tasks.spawn("slurm mirror", picture.mirror().run());
    tasks.spawn("pod reflector", pod_reflector.run());
    tasks.spawn("node reflector", node_reflector.run());
  }

  void stop() {
    if (scheduler) scheduler->stop();
    if (pod_syncer) pod_syncer->stop();
  }

  bridge::Picture picture;
  kube::Reflector pod_reflector;
  kube::Reflector node_reflector;
  std::optional<bridge::Scheduler> scheduler;
  std::optional<bridge::PodSyncer> pod_syncer;
  std::optional<bridge::OrphanSweeper> orphan_sweeper;
};

// One process from start to end.
class Process {
 public:
  Process(const Settings& settings,
          net::Loop& loop,
          base::Log log,
          kube::Client& kube,
          slurm::Client& slurm)
      : settings_(settings),
        loop_(loop),
        log_(std::move(log)),
        kube_(kube),
        slurm_(slurm),
        tasks_(loop) {}

  net::Task<void> run() {
    tasks_.spawn("start", start());
    const int signal = co_await net::wait_for_stop_signal(loop_);
    log_.info("stopping", {{"signal", signal}});
    if (roles_) roles_->stop();
    tasks_.cancel();
    co_await tasks_.join();  // then nothing is left that could happen, and the loop ends by itself
  }

 private:
  net::Task<void> start() {
    auto cluster = co_await cluster_id();
    if (!cluster.ok()) co_return;
    auto version = co_await slurm_version();
    if (!version.ok()) co_return;

    workload::Bridge identity{*cluster, settings_.config.schedulerName};
    mirror_.emplace(
        loop_, slurm_, slurm::MirrorOptions(), [identity](std::string_view admin_comment) {
          return bridge::may_be_ours(admin_comment, identity);
        });
    const bridge::Links links{loop_,
                              tasks_,
                              kube_,
                              slurm_,
                              log_,
                              settings_.config.schedulerName,
                              {settings_.config.partition, settings_.config.mcsLabel}};
    roles_.emplace(links, *mirror_, identity, settings_.role);
    roles_->start(tasks_);
    log_.info("running",
              {{"scheduler", identity.scheduler},
               {"cluster", identity.cluster},
               {"slurm_api", name(*version)}});
  }

  // Tells clusters apart in Slurm: the uid of kube-system, which lives as long as the cluster.
  // Asked until it is told: without it no role may act.
  net::Task<Result<std::string>> cluster_id() {
    for (;;) {
      auto answer = co_await kube_.get(kube::object_path(kube::kNamespaces, {"", "kube-system"}),
                                       loop_.in(kStartTimeout));
      auto uid = answer.ok() ? uid_in(*answer) : Result<std::string>(std::move(answer).error());
      if (uid.ok() || uid.error().is(base::Kind::cancelled)) co_return uid;
      log_.warn("cannot read the namespace kube-system yet", {{"error", uid.error()}});
      CO_TRY_VOID(co_await loop_.sleep_for(kTryAgain));
    }
  }

  net::Task<Result<slurm::ApiVersion>> slurm_version() {
    for (;;) {
      auto version = co_await slurm_.discover(loop_.in(kStartTimeout));
      if (version.ok() || version.error().is(base::Kind::cancelled)) co_return version;
      log_.warn("cannot speak to Slurm yet", {{"error", version.error()}});
      CO_TRY_VOID(co_await loop_.sleep_for(kTryAgain));
    }
  }

  const Settings& settings_;
  net::Loop& loop_;
  base::Log log_;
  kube::Client& kube_;
  slurm::Client& slurm_;
  std::optional<slurm::Mirror> mirror_;
  std::optional<Roles> roles_;
  net::TaskGroup tasks_;
};

void write_line(std::string_view line) {
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

int run(const Settings& settings) {
  base::RealClock clock;
  net::Loop loop(clock);
  base::Log log(write_line, clock, settings.log_format, settings.log_level);
  for (const std::string& warning : settings.warnings) log.warn(warning);

  const auto fail = [&](const base::Error& error) {
    log.error("cannot start", {{"error", error}});
    return 1;
  };
  auto config = kube_config(settings);
  if (!config.ok()) return fail(config.error());
  kube::Credentials credentials = config->credentials(loop);
  auto kube_link = kube::connect(loop, *config, credentials, kUserAgent);
  if (!kube_link.ok()) return fail(kube_link.error());
  auto slurm_link = slurm_transport(loop, settings.config.slurmRestApi);
  if (!slurm_link.ok()) return fail(slurm_link.error());

  slurm::TokenSource token = slurm_token(settings, clock);
  kube::Client kube(**kube_link, credentials);
  slurm::Client slurm(loop, **slurm_link, token);
  Process process(settings, loop, log, kube, slurm);
  net::TaskGroup root(loop);
  root.spawn("process", process.run());
  loop.run();
  return 0;
}

}  // namespace app
