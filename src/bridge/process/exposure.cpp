// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/exposure.h"

namespace bridge::process {
namespace {

using telemetry::Counter;
using telemetry::Family;
using telemetry::Gauge;
using telemetry::Metrics;
using Verdict = slurm::TokenCheck::Verdict;

// The values of an instance are read when the metrics are read.

void expose_standing(const Instance& instance, Metrics& metrics) {
  Gauge& leader = metrics.gauge(
      {"slurm_bridge_leader", "Whether this process may act: it holds the Lease, or is alone."});
  Gauge& jobs =
      metrics.gauge({"slurm_bridge_jobs_followed", "Slurm jobs whose state is being asked for."});
  Gauge& nodes = metrics.gauge({"slurm_bridge_slurm_nodes", "Nodes that Slurm has."});
  Gauge& lost = metrics.gauge({"slurm_bridge_slurm_nodes_not_responding",
                               "Nodes that Slurm once failed to reach and does not use."});
  Gauge& doubt = metrics.gauge({"slurm_bridge_pods_in_doubt",
                                "Running pods whose job Slurm does not know, without proof that it "
                                "ended: Slurm may have lost its state. They are left alone."});
  Family<Gauge>& up =
      metrics.gauges({"slurm_bridge_slurm_up", "Whether Slurm's latest answer came."});
  Family<Gauge>& token = metrics.gauges(
      {"slurm_bridge_slurm_token_ok", "Whether Slurm takes jobs under the bridge's token."});
  metrics.before_reading([&instance, &leader, &jobs, &nodes, &lost, &doubt, &up, &token] {
    const InstanceStats stats = instance.stats();
    leader.set(instance.leading() ? 1 : 0);
    jobs.set(static_cast<double>(stats.jobs_followed));
    nodes.set(static_cast<double>(stats.slurm_nodes));
    lost.set(static_cast<double>(stats.not_responding));
    doubt.set(static_cast<double>(stats.pods_in_doubt));
    if (const auto is_up = instance.slurm().up()) up.with({}).set(*is_up ? 1 : 0);
    const Verdict verdict = instance.token().verdict;
    if (verdict != Verdict::unknown) token.with({}).set(verdict == Verdict::fine ? 1 : 0);
  });
}

void expose_steps(const Instance& instance, Metrics& metrics) {
  Family<Counter>& steps = metrics.counters({"slurm_bridge_steps_total",
                                             "Steps for pods: done, or what went wrong.",
                                             {"step", "outcome"}});
  Family<Counter>& events = metrics.counters(
      {"slurm_bridge_events_total", "Events about pods, by what became of them.", {"outcome"}});
  metrics.before_reading([&instance, &steps, &events] {
    for (const auto& [what, count] : instance.steps().counts())
      steps.with({what.first, what.second}).raise_to(static_cast<double>(count));
    events.with({"written"}).raise_to(static_cast<double>(instance.events().written()));
    events.with({"dropped"}).raise_to(static_cast<double>(instance.events().dropped()));
    events.with({"failed"}).raise_to(static_cast<double>(instance.events().failed()));
  });
}

void expose_feeds(const Instance& instance, Metrics& metrics) {
  Family<Gauge>& objects = metrics.gauges(
      {"slurm_bridge_objects", "Objects of the API server in the cache.", {"resource"}});
  Family<Counter>& lists = metrics.counters(
      {"slurm_bridge_lists_total", "Complete lists that were begun.", {"resource"}});
  Family<Counter>& watches =
      metrics.counters({"slurm_bridge_watches_total", "Watches that were opened.", {"resource"}});
  Family<Counter>& gone = metrics.counters({"slurm_bridge_watch_gone_total",
                                            "Times the API server had forgotten where we were.",
                                            {"resource"}});
  metrics.before_reading([&instance, &objects, &lists, &watches, &gone] {
    for (const InstanceStats::Feed& feed : instance.stats().feeds) {
      objects.with({feed.resource}).set(static_cast<double>(feed.objects));
      lists.with({feed.resource}).raise_to(static_cast<double>(feed.lists));
      watches.with({feed.resource}).raise_to(static_cast<double>(feed.watches));
      gone.with({feed.resource}).raise_to(static_cast<double>(feed.gone));
    }
  });
}

}  // namespace

void register_metrics(const Instance& instance, Metrics& metrics) {
  expose_standing(instance, metrics);
  expose_steps(instance, metrics);
  expose_feeds(instance, metrics);
}

void register_health_checks(const Instance& instance, Role role, telemetry::Health& health) {
  const RoleParts parts = parts_of(role);
  const auto add_ready = [&](Role part) {
    health.add(std::string(name(part)), [&instance] { return instance.ready(); });
  };
  if (parts.scheduler) add_ready(Role::scheduler);
  if (parts.controllers) add_ready(Role::controllers);
  health.add("slurm-poll", [&instance] { return instance.polled(); });
  health.remark("slurm", [&instance] { return instance.slurm().problem(); });
  health.remark("slurm-token", [&instance] {
    const slurm::TokenCheck& token = instance.token();
    return token.verdict == Verdict::wrong ? token.message : std::string();
  });
}

}  // namespace bridge::process
