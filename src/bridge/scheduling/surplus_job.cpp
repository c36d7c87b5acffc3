// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/surplus_job.h"

#include "bridge/marks/named_job.h"
#include "bridge/state/job_members.h"
#include "bridge/writes/cancel.h"

namespace bridge::scheduling {
namespace {

using base::Result;

// Whether the pod names this job, read from the API server.
net::Task<Result<bool>> names_it(const runtime::RoleContext& context,
                                 state::ClusterState& cluster,
                                 kube::ObjectKey key,
                                 kube::Uid uid,
                                 slurm::JobId job) {
  CO_TRY(std::optional<kube::Pod> pod, co_await context.api<kube::Pod>().find(key));
  if (!pod) co_return false;
  const bool named = pod->metadata.uid == uid && marks::named_job(*pod) == job;
  cluster.pods().written(*std::move(pod));
  co_return named;
}

}  // namespace

net::Task<bool> cancel_surplus_job(const runtime::RoleContext& context,
                                   state::ClusterState& cluster,
                                   kube::ObjectKey pod,
                                   kube::Uid uid,
                                   OwnJob own) {
  const auto named = co_await names_it(context, cluster, pod, uid, own.id);
  if (!named.ok()) {
    step_failed(context, "take back", runtime::step_object(pod), named.error());
    co_return false;
  }
  if (*named) co_return true;
  state::Stake others = state::Stake::none;
  const writes::JobMatches is_what_we_made = [&](const slurm::JobIdentity& now) {
    const bool another = own.submit_time && now.submit_time && own.submit_time != now.submit_time;
    if (now.admin_comment != own.comment || another) return false;
    others = stake_of_others(cluster, own.id, now.admin_comment, uid);
    return others == state::Stake::none;
  };
  const auto cancelled = co_await writes::cancel_if(
      context.slurm, own.id, is_what_we_made, context.loop.in(runtime::kCallTimeout));
  if (!cancelled.ok()) {
    context.log.warn("cannot cancel a surplus job",
                     {{"job", own.id.value()}, {"error", cancelled.error()}});
    co_return false;
  }
  if (others == state::Stake::holds) co_return false;
  if (*cancelled) {
    context.steps.done("cancel own");
    context.log.info("cancelled a surplus job", {{"job", own.id.value()}});
  }
  cluster.done_with(own.id);
  co_return true;
}

}  // namespace bridge::scheduling
