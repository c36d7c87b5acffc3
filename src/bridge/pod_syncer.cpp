// SPDX-License-Identifier: Apache-2.0
#include "bridge/pod_syncer.h"

#include "bridge/cancel.h"
#include "bridge/job_claim.h"
#include "bridge/named_job.h"
#include "bridge/pod_writes.h"

namespace bridge {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using kube::Again;
using kube::Pod;
using namespace std::chrono_literals;

constexpr auto kCallTimeout = 15s;
constexpr auto kLookForProof = 5s;

}  // namespace

PodSyncer::PodSyncer(Links links, Picture& picture, std::size_t workers)
    : links_(std::move(links)),
      picture_(picture),
      queue_(links_.loop, links_.tasks, workers, [this](kube::ObjectKey key) {
        return reconcile(std::move(key));
      }) {}

void PodSyncer::start() {
  picture_.on_pod([this](const kube::ObjectKey& key) { queue_.add(key); });
  picture_.mirror().on_recovery([this] { queue_.retry_failed(); });
}

net::Task<Again> PodSyncer::reconcile(kube::ObjectKey key) {
  const auto pod = picture_.pods().find(key);
  if (!pod || pod->spec.schedulerName != links_.scheduler_name) co_return Again::on_change();

  SyncFacts facts(*pod);
  facts.named = named_job(*pod);
  if (facts.named) {
    facts.named_is_ours = picture_.is_job_of(*facts.named, *pod);
    facts.view = picture_.mirror().find(*facts.named);
    facts.named_is_anothers = facts.named_is_ours == false && is_anothers(*facts.named, *pod);
    // Looks at many others, and is needed for few.
    if (facts.named_is_anothers || unknown(facts.view)) facts.around = picture_.around(*pod);
  }
  SyncStep step = next_sync_step(facts);
  if (!links_.may_act()) co_return Again::on_change();
  if (auto* remove_it = std::get_if<Remove>(&step))
    co_return co_await remove(pod, std::move(*remove_it));
  if (auto* release_it = std::get_if<Release>(&step)) co_return co_await release(pod, *release_it);
  // Whether that proves anything depends on what other jobs say, which nobody tells us about.
  if (facts.named_is_anothers || unknown(facts.view)) co_return Again::after(kLookForProof);
  co_return Again::on_change();
}

bool PodSyncer::is_anothers(slurm::JobId job, const Pod& pod) const {
  const auto request = workload::job_of_pod(pod, picture_.bridge(), links_.live.defaults);
  return request.ok() && picture_.is_anothers(job, pod, request->name);
}

// The last look before a pod is deleted: what the picture knows of a job may be about another one,
// if slurmctld crashed in between and gave the id again.
net::Task<Result<bool>> PodSyncer::still_ended(std::shared_ptr<const Pod> pod, slurm::JobId job) {
  const auto now = co_await links_.slurm.identity(job, links_.loop.in(kCallTimeout));
  if (!now.ok()) co_return now.error();
  // A state that we do not understand is no end.
  const bool ended = slurm::is_over(now->state) || now->state == slurm::JobState::suspended;
  if (!ended) co_return false;
  co_return is_job_of(now->admin_comment, *pod, picture_.bridge());
}

net::Task<Again> PodSyncer::remove(std::shared_ptr<const Pod> pod, Remove step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (step.because.by == JobEnded::By::state) {
    const auto still = co_await still_ended(pod, step.because.job);
    if (!still.ok() && !still.error().is(Kind::not_found))
      co_return failed("confirm the end", *pod, still.error());
    if (!still.ok() || !*still) {
      picture_.mirror().track_anew(step.because.job);
      co_return Again::after(1s);
    }
  }
  links_.log.info("removing pod", {{"pod", key.to_string()}, {"because", step.because.statement}});
  auto answer = co_await links_.kube.remove(
      kube::object_path(kube::kPods, key),
      kube::delete_options({pod->metadata.uid, pod->metadata.resourceVersion}),
      links_.loop.in(kCallTimeout));
  if (!answer.ok()) co_return failed("remove", *pod, answer.error());
  links_.tally.done("remove");
  links_.events.record(
      {subject(*pod), kube::Severity::warning, "RemovedBySlurm", step.because.statement});
  json::Parser parser;
  // A graceful delete answers with the pod as it is now; the last one with a Status.
  if (auto object = parser.parse(*answer); object.ok() && object->find("spec"))
    picture_.pods().written(*object);
  co_return Again::on_change();
}

net::Task<Again> PodSyncer::release(std::shared_ptr<const Pod> pod, Release step) {
  const kube::ObjectKey key = pod->metadata.key();
  if (step.job) {
    const IsMeant is_its_job = [this, pod](std::string_view comment) {
      return is_job_of(comment, *pod, picture_.bridge());
    };
    const auto cancelled =
        co_await cancel_if(links_.slurm, *step.job, is_its_job, links_.loop.in(kCallTimeout));
    if (!cancelled.ok()) co_return failed("release", *pod, cancelled.error());
    links_.tally.done("release");
    links_.log.info("released job", {{"pod", key.to_string()}, {"job", *step.job}});
    picture_.mirror().hurry();
  }
  auto answer = co_await links_.kube.patch(kube::object_path(kube::kPods, key),
                                           kube::PatchType::json,
                                           unfinalize_patch(*pod),
                                           links_.loop.in(kCallTimeout));
  if (!answer.ok()) co_return failed("finalize", *pod, answer.error());
  links_.tally.done("finalize");
  json::Parser parser;
  if (auto object = parser.parse(*answer)) picture_.pods().written(*object);
  co_return Again::on_change();
}

Again PodSyncer::failed(std::string_view what, const Pod& pod, const Error& error) {
  if (error.is(Kind::not_found)) return Again::on_change();  // it is gone already
  note_failed_step(links_, what, pod.metadata.key(), error);
  return Again::after_backoff();
}

}  // namespace bridge
