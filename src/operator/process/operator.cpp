// SPDX-License-Identifier: Apache-2.0
#include "operator/process/operator.h"

#include "operator/process/gather.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace slurmop::process {
namespace {

using base::Result;
using kube::ObjectKey;
using kube::Requeue;

// Between two looks whether a new link has asked the daemons.
constexpr auto kLinkPoll = std::chrono::milliseconds(100);

std::function<std::unique_ptr<Endpoints>(const Stores&)> service_endpoints(net::Loop& loop,
                                                                           std::string user_agent) {
  return [&loop, user_agent = std::move(user_agent)](const Stores& stores) {
    return std::make_unique<ServiceEndpoints>(loop, stores, user_agent);
  };
}

// Nothing is created for a resource that is being deleted.
plan::Plan only_status(plan::Plan plan) {
  plan::Plan rest;
  rest.status = std::move(plan.status);
  rest.node_sets = std::move(plan.node_sets);
  rest.events = std::move(plan.events);
  return rest;
}

}  // namespace

Operator::Operator(const kube::Access& access, OperatorOptions options)
    : Operator(access, options, service_endpoints(access.loop, options.user_agent)) {}

Operator::Operator(const kube::Access& access,
                   OperatorOptions options,
                   std::function<std::unique_ptr<Endpoints>(const Stores&)> make_endpoints)
    : access_(access),
      options_(std::move(options)),
      stores_(access_, options_.namespaces),
      endpoints_(make_endpoints(stores_)),
      events_(access_.loop, access_.client, {"slurm-operator", options_.instance}, access_.log),
      executor_(access_, stores_, events_),
      controller_(
          access_.loop,
          {"cluster", options_.workers},
          [this](ObjectKey key) { return reconcile(std::move(key)); },
          access_.log),
      links_({access_, stores_, *endpoints_},
             [this](const ObjectKey& cluster) { controller_.enqueue(cluster); }) {
  stores_.notify(controller_);
}

void Operator::add_to(kube::Runner& runner) {
  stores_.add_to(runner);
  runner.add_leading("links", [this] { return links_.run(); });
  runner.add_leading("events", [this] { return events_.run(); });
  runner.add(controller_);
}

void Operator::start(net::TaskGroup& tasks) {
  stores_.start(tasks);
  tasks.spawn("links", links_.run());
  tasks.spawn("events", events_.run());
  tasks.spawn("controller", controller_.run());
}

void Operator::forget(const ObjectKey& key) {
  links_.remove(key);
  failures_.erase(key);
}

net::Task<Result<Requeue>> Operator::reconcile(ObjectKey key) {
  Stores::ObjectPointer cluster = stores_.clusters().find(key);
  if (!cluster) {
    forget(key);
    co_return Requeue::on_change();
  }
  co_return co_await run_pass(std::move(cluster));
}

plan::Known Operator::known_of(const kube::DynamicObject& cluster, ClusterLink& link) {
  return gather(stores_,
                cluster,
                {options_.defaults,
                 link.slurm().view(),
                 link.agent().report(),
                 failures_[cluster.metadata.key()],
                 access_.loop.clock().wall()});
}

net::Task<Result<Requeue>> Operator::run_pass(Stores::ObjectPointer cluster) {
  const ObjectKey key = cluster->metadata.key();
  const std::shared_ptr<ClusterLink> link = links_.of(cluster->metadata);
  if (!link->has_tried()) co_return Requeue::after(kLinkPoll);
  plan::Known known = known_of(*cluster, *link);
  Pass pass{{key, cluster->metadata.uid}, options_.make_plan(known), std::move(known.slurm)};
  if (cluster->metadata.deleting()) pass.plan = only_status(std::move(pass.plan));
  SlurmWatch& slurm = link->slurm();
  slurm.want_jobs(pass.plan.wants_jobs);
  slurm.expect_changes(pass.plan.wants_jobs || pass.plan.again || !pass.plan.slurm.empty() ||
                       !pass.plan.pods.empty());
  CO_TRY(PassOutcome outcome,
         co_await executor_.execute(pass, {slurm.client(), [&slurm] { slurm.hurry(); }}));
  co_return after(key, std::move(outcome), pass.plan.again);
}

bool Operator::note_failures(const ObjectKey& key, std::vector<std::string> failures) {
  std::ranges::sort(failures);
  std::vector<std::string>& known = failures_[key];
  if (known == failures) return false;
  known = std::move(failures);
  for (const std::string& failure : known)
    access_.log.warn("the API server rejects an object",
                     {{"cluster", key.to_string()}, {"failure", failure}});
  return true;
}

Result<Requeue> Operator::after(const ObjectKey& key,
                                PassOutcome outcome,
                                std::optional<std::chrono::seconds> again) {
  constexpr auto kSoon = std::chrono::seconds(1);
  constexpr auto kUnfinished = std::chrono::seconds(5);  // usually a change comes earlier
  const bool are_new = note_failures(key, std::move(outcome.failures));
  if (outcome.failed_step) return *std::move(outcome.failed_step);
  if (are_new) return Requeue::after(kSoon);  // the next plan reports them in the status
  if (!failures_[key].empty()) return Requeue::after_backoff();
  if (!outcome.is_complete) again = std::min(again.value_or(kUnfinished), kUnfinished);
  return again ? Requeue::after(*again) : Requeue::on_change();
}

}  // namespace slurmop::process
