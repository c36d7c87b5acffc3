// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/facts_reader.h"

#include "bridge/marks/named_job.h"
#include "bridge/scheduling/chosen_node.h"
#include "bridge/scheduling/fresh.h"
#include "bridge/scheduling/volumes.h"
#include "bridge/state/job_members.h"
#include "bridge/state/reused_job_id.h"
#include "workload/unsupported_requests.h"

#include <fmt/format.h>

#include <utility>

namespace bridge::scheduling {

using base::Result;
using kube::Pod;

PodFacts FactsReader::of(const Pod& pod,
                         const PodRecord& record,
                         const Result<slurm::JobRequest>& request,
                         const Prepared& prepared) const {
  PodFacts facts(pod);
  const base::Instant now = context_.loop.now();
  facts.named = marks::named_job(pod);
  if (facts.named) {
    read_named_job(pod, record, request, facts);
  } else {
    facts.found = cluster_.live_job_of(pod);
    if (facts.found && record.released_jobs.contains(*facts.found)) facts.found.reset();
    if (!pod.bound()) facts.unsupported = workload::unsupported_request(pod);
  }
  const bool may_be_cancelled = facts.found && record.may_be_cancelled(*facts.found, now);
  if (pod.bound()) facts.own_node = cluster_.slurm_name(pod.spec.nodeName);
  if (record.made) facts.made = record.made->id;
  if (record.returned) facts.returned = record.returned->id;
  if (const auto job = facts.made ? facts.made : facts.found; job && !facts.named)
    facts.unlabelled_job_runs = is_running(*job);
  if (explainer_.write_refused_past_hold(record))
    facts.write_refused_past_hold = record.write_refused->message;
  facts.prepared = prepared.request;
  facts.has_claims = has_claims(pod);
  if (facts.node && prepared.volumes_on == facts.node) facts.volumes = prepared.volumes;
  facts.nothing_overlooked =
      !may_be_cancelled && cluster_.mirror().scanned_since() >= record.scan_required_since;
  facts.request = &request;
  if (record.submit_blocker && now < record.blocked_until)
    facts.submit_blocker = record.submit_blocker;
  if (record.refusal && now < record.refused_until && request.ok() &&
      request_shape_of(pod, *request) == record.asked) {
    facts.refusal = record.refusal;
  }
  facts.view_is_fresh = facts.view != nullptr && is_fresh(*facts.view, now);
  facts.bind_accepted =
      record.bind_accepted_at && now < *record.bind_accepted_at + kBindShowsWithin;
  return facts;
}

// Whether the job runs and its admin_comment is known, which a cancel requires.
bool FactsReader::is_running(slurm::JobId job) const {
  const slurm::JobView* view = cluster_.mirror().find(job);
  return view != nullptr && view->known(slurm::JobState::running) &&
         cluster_.mirror().comment_of(job) != nullptr;
}

void FactsReader::read_named_job(const Pod& pod,
                                 const PodRecord& record,
                                 const Result<slurm::JobRequest>& request,
                                 PodFacts& facts) const {
  const base::Instant now = context_.loop.now();
  facts.named_is_ours = cluster_.is_job_of(*facts.named, pod);
  facts.view = cluster_.mirror().find(*facts.named);
  facts.node = node_for(cluster_, pod, *facts.named);
  if (facts.node) facts.slurm_node = cluster_.slurm_name(facts.node->value());
  facts.no_place_left = !facts.node && cluster_.node_of(facts.view).has_value();
  if (state::is_unknown_to_slurm(facts.view)) facts.around = losses_.evidence_for(pod);
  if (pod.bound() && request.ok())
    facts.job_id_was_reused = state::job_id_was_reused(cluster_, *facts.named, pod, request->name);
  if (facts.view && facts.view->known(slurm::JobState::pending))
    facts.waiting_reason = waiting_.of(*facts.named, record.made_shape);
  if (facts.node && !pod.bound()) {
    ChosenNodeCheck check = check_chosen_node(cluster_, pod, *facts.node);
    facts.node_never = std::move(check.never);
    if (check.not_now) {
      facts.node_not_now = writes::explain(
          writes::Cause::node_cannot,
          fmt::format("Slurm job {} has node {}, which cannot take the pod yet: {}.",
                      *facts.named,
                      facts.node->value(),
                      *check.not_now));
    }
  }
  facts.held_long_enough = record.held_since && *record.held_since + context_.live.hold <= now;
}

RequestShape FactsReader::request_shape_of(const Pod& pod, slurm::JobRequest request) const {
  if (pod.bound()) request.required_nodes = {cluster_.slurm_name(pod.spec.nodeName)};
  return shape_of(std::move(request));
}

}  // namespace bridge::scheduling
