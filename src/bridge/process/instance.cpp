// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/instance.h"

#include "bridge/marks/job_claim.h"
#include "bridge/nodes/syncer.h"
#include "bridge/pods/orphan_sweeper.h"
#include "bridge/pods/syncer.h"
#include "bridge/process/list_watch_reports.h"
#include "bridge/process/timing.h"
#include "bridge/scheduling/scheduler.h"
#include "bridge/state/cluster_state.h"
#include "kube/cache/reflector.h"
#include "slurm/mirror/mirror.h"
#include "slurm/mirror/node_mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace bridge::process {
namespace {

using base::Result;
using namespace std::chrono_literals;

kube::Events::Options sender(const InstanceOptions& options) {
  std::string component = "slurm-bridge";
  if (options.role != Role::all) component.append("-").append(name(options.role));
  return {std::move(component), options.host.empty() ? options.scheduler_name : options.host};
}

// Foreign pods that use resources of a node.
std::string foreign_selector(const std::string& scheduler_name) {
  return fmt::format(
      "spec.schedulerName!={},spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed",
      scheduler_name);
}

// Whether a process with this error of its Lease can never lead, whatever other processes do.
bool bars_from_leading(const base::Error& error) {
  using base::Kind;
  return error.is(Kind::forbidden) || error.is(Kind::unauthorized) || error.is(Kind::not_found) ||
         error.is(Kind::invalid) || error.is(Kind::protocol);
}

// Logs each object that cannot be decoded. The store ignores it; other objects are not affected.
template <class Store>
void warn_of_undecodable(Store& store, const base::Log& log, std::string_view resource) {
  store.on_undecodable([log, resource](const kube::ObjectKey& key, const std::string& why) {
    log.warn("an object cannot be decoded and is ignored",
             {{"resource", resource}, {"object", key.to_string()}, {"error", why}});
  });
}

}  // namespace

struct Instance::Parts {
  Parts(const runtime::RoleContext& context,
        slurm::Client& polls,
        const workload::BridgeIdentity& identity,
        const InstanceOptions& options,
        ListWatchReports::Announce announce)
      : mirror(context.loop,
               polls,
               options.mirror,
               [identity](std::string_view admin_comment) {
                 return marks::may_be_ours(admin_comment, identity);
               }),
        slurm_nodes(context.loop, polls, {}, [this] { return !cluster.nodes().objects().empty(); }),
        cluster(mirror, slurm_nodes, identity),
        pod_reflector(context.loop,
                      context.kube,
                      {kube::kPods, "", "", "spec.schedulerName=" + context.scheduler_name},
                      cluster.pods(),
                      context.log),
        node_reflector(
            context.loop, context.kube, {kube::kNodes, "", "", ""}, cluster.nodes(), context.log),
        foreign_reflector(context.loop,
                          context.kube,
                          {kube::kPods, "", "", foreign_selector(context.scheduler_name)},
                          cluster.foreign_pods(),
                          context.log),
        reports(context.log, std::move(announce)) {
    for (kube::Reflector* one : {&pod_reflector, &node_reflector, &foreign_reflector})
      reports.follow(*one);
    warn_of_undecodable(cluster.pods(), context.log, "pods");
    warn_of_undecodable(cluster.nodes(), context.log, "nodes");
    warn_of_undecodable(cluster.foreign_pods(), context.log, "pods");
    const RoleParts parts = parts_of(options.role);
    if (parts.scheduler) scheduler.emplace(context, cluster, losses);
    if (parts.controllers) {
      pod_syncer.emplace(context, cluster, losses, options.pod_workers);
      node_syncer.emplace(context, cluster, options.node_workers);
      orphan_sweeper.emplace(context, cluster);
    }
  }

  void start(net::TaskGroup& tasks) {
    if (scheduler) scheduler->start();
    if (pod_syncer) pod_syncer->start();
    if (node_syncer) node_syncer->start();
    pod_reflector.on_recovery([this] {
      if (scheduler) scheduler->retry_failed();
      if (pod_syncer) pod_syncer->retry_failed();
      if (node_syncer) node_syncer->retry_failed();
    });
    if (orphan_sweeper) tasks.spawn("orphan sweeper", orphan_sweeper->run());
    tasks.spawn("slurm mirror", mirror.run());
    tasks.spawn("slurm nodes", slurm_nodes.run());
    tasks.spawn("pod reflector", pod_reflector.run());
    tasks.spawn("node reflector", node_reflector.run());
    if (!scheduler) return;
    tasks.spawn("foreign pod reflector", foreign_reflector.run());
    tasks.spawn("waiting reasons", scheduler->explain_waiting());
  }

  bool synced() const {
    return cluster.synced() && (!scheduler || cluster.foreign_pods().synced());
  }

  void stop() {
    if (scheduler) scheduler->stop();
    if (pod_syncer) pod_syncer->stop();
    if (node_syncer) node_syncer->stop();
  }

  slurm::Mirror mirror;
  slurm::NodeMirror slurm_nodes;
  state::ClusterState cluster;
  state::StateLossDetector losses{cluster};
  kube::Reflector pod_reflector;
  kube::Reflector node_reflector;
  kube::Reflector foreign_reflector;
  ListWatchReports reports;
  std::optional<scheduling::Scheduler> scheduler;
  std::optional<pods::PodSyncer> pod_syncer;
  std::optional<nodes::NodeSyncer> node_syncer;
  std::optional<pods::OrphanSweeper> orphan_sweeper;
};

Instance::Instance(net::Loop& loop, Clients clients, base::Log log, InstanceOptions options)
    : loop_(loop),
      clients_(clients),
      log_(std::move(log)),
      options_(std::move(options)),
      phase_(options_.leadership ? Phase::lead : Phase::kubernetes),
      events_(loop, clients_.kube, sender(options_), log_),
      contact_(loop,
               log_,
               [this](kube::Severity severity, std::string reason, std::string message) {
                 announce(severity, std::move(reason), std::move(message));
               }),
      token_(loop, clients_.slurm, {options_.live.defaults.partition, ""}, log_),
      over_(loop),
      tasks_(loop),
      renewals_(loop) {
  if (!options_.leadership) return;
  const std::string identity = fmt::format("{}_{:016x}", options_.leadership->name, loop_.random());
  for (const kube::ObjectKey& lease : options_.leadership->leases) {
    elections_.push_back(std::make_unique<kube::Election>(
        loop_,
        clients_.leases,
        kube::Election::Options{lease, identity, options_.leadership->times},
        log_));
  }
}

Instance::~Instance() = default;

void Instance::stop() {
  stop_asked_ = true;
  over_.notify();
}

void Instance::apply(config::LiveSettings live) {
  options_.live = std::move(live);
  if (parts_ && parts_->node_syncer) parts_->node_syncer->look_at_all();
}

bool Instance::leading() const {
  return !lost_ && std::ranges::all_of(elections_, [](const auto& e) { return e->leading(); });
}

net::Task<Result<void>> Instance::run() {
  net::TaskGroup working(loop_);
  std::optional<Result<void>> outcome;
  working.spawn("work", [this, &outcome]() -> net::Task<void> {
    outcome = co_await work();
    over_.notify();
  });
  while (!outcome) {
    const auto woken = co_await over_.wait();
    // Before the roles run, there is nothing to finish.
    const bool over = stop_asked_ || lost_;
    if (!woken.ok() || (over && !parts_)) working.cancel();
    if (!woken.ok()) break;
  }
  co_await working.join();
  tasks_.cancel();
  renewals_.cancel();
  co_await tasks_.join();
  co_await renewals_.join();
  if (stop_asked_ || !outcome) co_return Result<void>();
  if (lost_) co_return *lost_;
  co_return std::move(*outcome);
}

net::Task<Result<void>> Instance::work() {
  CO_TRY_VOID(co_await lead());
  CO_TRY_VOID(co_await start());
  while (!lost_ && !stop_asked_) CO_TRY_VOID(co_await over_.wait());
  co_await wind_down();
  if (lost_) co_return *lost_;
  co_return Result<void>();
}

net::Task<Result<void>> Instance::lead() {
  for (const auto& election : elections_) {
    const bool first = election == elections_.front();
    const auto outcome = first ? co_await acquire_first() : co_await election->acquire();
    if (!outcome.ok()) co_return outcome.error();
    renewals_.spawn("lease", hold(*election));
  }
  co_return Result<void>();
}

// The other Leases are watched at the same time: a holder that died held all of them, and one lease
// duration is enough to see that none is renewed.
net::Task<Result<void>> Instance::acquire_first() {
  net::TaskGroup looking(loop_);
  for (std::size_t i = 1; i < elections_.size(); ++i)
    looking.spawn("other leases", elections_[i]->watch());
  auto outcome = co_await elections_.front()->acquire();
  looking.cancel();
  co_await looking.join();
  co_return outcome;
}

net::Task<void> Instance::hold(kube::Election& election) {
  const auto outcome = co_await election.hold();
  if (outcome.ok() || outcome.error().is(base::Kind::cancelled)) co_return;
  log_.error("no longer the leader", {{"error", outcome.error()}});
  lost_ = outcome.error();
  over_.notify();
}

// Finishes the scheduler's jobs, ends all tasks, then releases the Leases unless one was lost.
net::Task<void> Instance::wind_down() {
  if (parts_->scheduler) co_await parts_->scheduler->finish(loop_.in(kFinishWithin));
  parts_->stop();
  tasks_.cancel();
  co_await tasks_.join();
  renewals_.cancel();
  co_await renewals_.join();
  for (const auto& election : elections_) {
    if (lost_) co_return;
    const auto released = co_await election->release();
    if (!released.ok()) log_.warn("cannot give up the lease", {{"error", released.error()}});
  }
}

// The Event's object is our Lease, because the Event concerns no single pod.
void Instance::announce(kube::Severity severity, std::string reason, std::string message) {
  if (elections_.empty() || !elections_.front()->lease()) return;
  events_.record({kube::subject(*elections_.front()->lease()),
                  severity,
                  std::move(reason),
                  std::move(message)});
}

// Without leader election the Event's object is the namespace kube-system.
void Instance::announce(const kube::ListWatchReport& report, const std::string& cluster) {
  const bool failing = report.state == kube::ListWatchReport::State::failing;
  const kube::Severity severity = failing ? kube::Severity::warning : kube::Severity::normal;
  std::string reason = failing ? "ListWatchFailed" : "ListWatchRecovered";
  if (!elections_.empty()) return announce(severity, std::move(reason), report.message);
  events_.record({{"Namespace", {"", "kube-system"}, kube::Uid(cluster)},
                  severity,
                  std::move(reason),
                  report.message});
}

Result<void> Instance::ready() const {
  using base::Error;
  using base::Kind;
  if (phase_ == Phase::lead) return ready_to_lead();
  if (phase_ == Phase::kubernetes)
    return Error(Kind::unavailable,
                 api_server_answered_ ? in_the_way_ : "the API server has not been reached yet");
  if (!parts_) return {};
  const std::string problem = parts_->reports.problem();
  if (!parts_->synced())
    return Error(Kind::unavailable,
                 "pods and nodes have not been listed yet" +
                     (problem.empty() ? std::string() : ": " + problem));
  if (!problem.empty()) return Error(Kind::unavailable, problem);
  return {};
}

Result<void> Instance::ready_to_lead() const {
  for (const auto& election : elections_) {
    if (const auto& problem = election->problem(); problem && bars_from_leading(*problem))
      return base::Error(base::Kind::unavailable,
                         "cannot take part in the leader election: " + problem->to_string());
  }
  return {};
}

Result<void> Instance::polled() const {
  if (phase_ == Phase::lead || phase_ == Phase::kubernetes) return {};
  const base::Instant last =
      parts_ ? std::max(parts_->mirror.polled_at(), polls_since_) : polls_since_;
  const auto age = std::chrono::duration_cast<std::chrono::seconds>(loop_.now() - last);
  if (age < kOldestPoll) return {};
  const std::string why = contact_.problem();
  return base::Error(base::Kind::unavailable,
                     fmt::format("the latest complete poll of Slurm's jobs is {} s old{}{}",
                                 age.count(),
                                 why.empty() ? "" : ": ",
                                 why));
}

InstanceStats Instance::stats() const {
  InstanceStats stats;
  if (!parts_) return stats;
  const auto feed = [](std::string_view resource, std::size_t objects, const auto& reflector) {
    return InstanceStats::Feed{
        resource, objects, reflector.lists(), reflector.watches(), reflector.gone_answers()};
  };
  stats.feeds = {feed("pods", parts_->cluster.pods().objects().size(), parts_->pod_reflector),
                 feed("nodes", parts_->cluster.nodes().objects().size(), parts_->node_reflector)};
  if (parts_->scheduler) {
    stats.feeds.push_back(feed("foreign pods",
                               parts_->cluster.foreign_pods().objects().size(),
                               parts_->foreign_reflector));
  }
  if (parts_->node_syncer && parts_->node_syncer->slices().wanted()) {
    const nodes::NodeSlices& slices = parts_->node_syncer->slices();
    stats.feeds.push_back(feed("resource slices", slices.size(), slices.reflector()));
  }
  stats.jobs_followed = parts_->mirror.followed();
  if (parts_->pod_syncer) stats.pods_in_doubt = parts_->pod_syncer->in_doubt();
  for (const slurm::SlurmNodeName& name : parts_->slurm_nodes.names()) {
    ++stats.slurm_nodes;
    stats.not_responding += parts_->slurm_nodes.find(name)->not_responding() ? 1 : 0;
  }
  return stats;
}

net::Task<Result<void>> Instance::start() {
  phase_ = Phase::kubernetes;
  tasks_.spawn("events", events_.run());
  tasks_.spawn("slurm contact", contact_.run());
  CO_TRY(const std::string cluster, co_await learn_cluster());
  // For controllers in another process, which may lack the permission to read kube-system.
  const RoleParts parts = parts_of(options_.role);
  if (parts.scheduler && !parts.controllers && !options_.cluster_id_lease.name.empty())
    tasks_.spawn("cluster note", note_cluster(cluster));
  phase_ = Phase::slurm;
  polls_since_ = loop_.now();
  CO_TRY(const slurm::ApiVersion version, co_await slurm_version());
  clients_.polls.set_version(version);
  contact_.restored();
  phase_ = Phase::nothing;

  const workload::BridgeIdentity identity{cluster, options_.scheduler_name};
  const runtime::RoleContext context{loop_,
                                     tasks_,
                                     clients_.kube,
                                     clients_.slurm,
                                     log_,
                                     options_.scheduler_name,
                                     options_.live,
                                     [this] { return leading() && !stop_asked_; },
                                     tally_,
                                     events_};
  parts_ = std::make_unique<Parts>(
      context,
      clients_.polls,
      identity,
      options_,
      [this, cluster](const kube::ListWatchReport& report) { announce(report, cluster); });
  parts_->mirror.on_outage([this] { contact_.lost(*parts_->mirror.last_error()); });
  parts_->mirror.on_recovery([this] { contact_.restored(); });
  parts_->slurm_nodes.on_outage([this](const base::Error& why) {
    log_.warn("Slurm's nodes cannot be listed; what is known of them gets old", {{"error", why}});
  });
  parts_->slurm_nodes.on_recovery([this] { log_.info("Slurm's nodes are listed again", {}); });
  parts_->mirror.on_shortened([this](const slurm::StatesPoll::Shortened& calls) {
    log_.warn(
        "a server in front of slurmrestd refuses long requests; the states of jobs are asked "
        "for in several calls",
        {{"jobs_per_call", calls.ids_per_call}, {"error", calls.refusal}});
  });
  if (parts_->scheduler) tasks_.spawn("token", token_.run());
  parts_->start(tasks_);
  log_.info("running",
            {{"scheduler", identity.scheduler},
             {"cluster", identity.cluster},
             {"slurm_api", name(version)}});
  co_return Result<void>();
}

// Repeats the read, because no role may act without the cluster id. Only a permission that stays
// missing for kForbiddenForGood ends it with an error.
net::Task<Result<std::string>> Instance::learn_cluster() {
  std::optional<base::Instant> forbidden_since;
  for (;;) {
    auto id = co_await find_cluster_id(
        {loop_, clients_.kube}, options_.cluster_id_lease, loop_.in(kStartTimeout));
    if (id.ok()) in_the_way_.clear();
    if (id.ok() || id.error().is(base::Kind::cancelled)) co_return id;
    if (!id.error().is(base::Kind::forbidden)) {
      forbidden_since.reset();
    } else if (!forbidden_since) {
      forbidden_since = loop_.now();
    } else if (*forbidden_since + kForbiddenForGood <= loop_.now()) {
      co_return id;
    }
    if (in_the_way_ != id.error().message())
      log_.warn("cannot learn the cluster's id yet", {{"error", id.error()}});
    in_the_way_ = id.error().message();
    api_server_answered_ =
        id.error().is(base::Kind::forbidden) || id.error().is(base::Kind::not_found);
    CO_TRY_VOID(co_await loop_.sleep_for(kRetryStartAfter));
  }
}

net::Task<void> Instance::note_cluster(std::string id) {
  const kube::ObjectKey& note = options_.cluster_id_lease;
  for (;;) {
    const auto noted =
        co_await note_cluster_id({loop_, clients_.kube}, note, id, loop_.in(kStartTimeout));
    if (noted.ok() || noted.error().is(base::Kind::cancelled)) co_return;
    if (noted.error().is(base::Kind::forbidden)) {
      log_.info("may not note the cluster's id for controllers that may not read kube-system",
                {{"lease", note.to_string()}, {"error", noted.error()}});
      co_return;
    }
    log_.warn("cannot note the cluster's id yet",
              {{"lease", note.to_string()}, {"error", noted.error()}});
    const auto slept = co_await loop_.sleep_for(kLogAgainAfter);
    if (!slept.ok()) co_return;
  }
}

net::Task<Result<slurm::ApiVersion>> Instance::slurm_version() {
  for (;;) {
    auto version = co_await clients_.slurm.discover(loop_.in(kStartTimeout));
    if (version.ok() || version.error().is(base::Kind::cancelled)) co_return version;
    contact_.lost(version.error());
    log_.warn("cannot speak to Slurm yet", {{"error", version.error()}});
    CO_TRY_VOID(co_await loop_.sleep_for(kRetryStartAfter));
  }
}

}  // namespace bridge::process
