// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/pending_job_updater.h"

#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/scheduling/chosen_node.h"
#include "bridge/scheduling/excluded_nodes.h"
#include "bridge/state/job_members.h"
#include "slurm/api/error_number.h"

#include <utility>

namespace bridge::scheduling {

net::Task<void> PendingJobUpdater::refresh_excluded_nodes(slurm::Job job) {
  const std::set<kube::ObjectKey> pods = cluster_.pods_of(job.id);
  if (pods.size() != 1 || !context_.may_act()) co_return;
  const kube::ObjectKey key = *pods.begin();
  const auto pod = cluster_.pods().find(key);
  PodRecord* record = record_of_(key);
  if (!pod || record == nullptr || pod->bound() || pod->metadata.deleting()) co_return;
  if (marks::named_job(*pod) != job.id || cluster_.is_job_of(job.id, *pod) != true) co_return;
  // Slurm has assigned the id to another job.
  if (!marks::is_job_of(job.admin_comment, *pod, cluster_.bridge()))
    co_return cluster_.mirror().track_from_now(job.id);
  // In a job of several pods, the nodes that one pod excludes may suit the other pods.
  if (!choice_.ready() || state::listed_pods(job.admin_comment) != 1) co_return;

  const auto out = co_await choice_.of(
      pod, job.partition, record->avoided(context_.loop.now(), [&](const auto& name) {
        return is_unfit(cluster_, *pod, name);
      }));
  // If no node fits at present, the job keeps its list: a node may fit before Slurm starts the job.
  if (!out.ok() || (*out)->fits_none || !context_.may_act()) co_return;
  auto update = excluded_nodes_update(job, (*out)->excluded, cluster_.slurm_nodes().names());
  if (!update) co_return;
  // `job` may be outdated: after a crash of slurmctld the id may belong to another job. Both calls
  // have one deadline, so that a process that was stopped between them does not send the update.
  const base::Instant deadline = context_.loop.in(runtime::kCallTimeout);
  const auto now = co_await context_.slurm.identity(job.id, deadline);
  if (!now.ok() || !marks::is_job_of(now->admin_comment, *pod, cluster_.bridge())) co_return;
  const auto done = co_await context_.slurm.update(job.id, *std::move(update), deadline);
  if (done.ok()) {
    context_.steps.done("mend nodes");
    context_.log.info("changed the excluded nodes of a job",
                      {{"pod", key.to_string()}, {"job", job.id.value()}});
    co_return;
  }
  // The job may have started meanwhile. Slurm also refuses a list with a node that was removed from
  // Slurm; the job then keeps its list.
  step_failed(context_, "mend nodes", runtime::step_object(key), done.error());
  if (done.error().code() == slurm::kInvalidNodeName) cluster_.slurm_nodes().hurry();
}

}  // namespace bridge::scheduling
