// SPDX-License-Identifier: Apache-2.0
#include "bridge/pods/orphan_sweeper.h"

#include "bridge/marks/named_job.h"
#include "bridge/pods/orphan.h"
#include "bridge/pods/timing.h"
#include "bridge/writes/cancel.h"

#include <algorithm>

namespace bridge::pods {
namespace {

using namespace std::chrono_literals;

}  // namespace

net::Task<void> OrphanSweeper::run() {
  for (;;) {
    auto slept = co_await context_.loop.sleep_for(kSweepEvery);
    if (!slept.ok()) co_return;
    if (cluster_.synced() && cluster_.mirror().healthy()) co_await sweep();
  }
}

net::Task<void> OrphanSweeper::sweep() {
  std::map<slurm::JobId, base::Instant> still_unwanted;
  std::vector<std::pair<slurm::JobId, workload::Identity>> due;
  for (const auto& [id, job] : cluster_.mirror().ours()) {
    if (!slurm::is_live(job.state)) continue;
    auto identity = workload::read_identity(job.admin_comment);
    if (!identity || identity->bridge != cluster_.bridge() || !looks_unwanted(id, *identity))
      continue;
    const auto known = unwanted_since_.find(id);
    const base::Instant since =
        known == unwanted_since_.end() ? context_.loop.now() : known->second;
    still_unwanted[id] = since;
    if (context_.loop.now() >= since + kOrphanGrace) due.emplace_back(id, *std::move(identity));
  }
  unwanted_since_ = std::move(still_unwanted);
  for (auto& [id, identity] : due) co_await examine(id, std::move(identity));
}

bool OrphanSweeper::looks_unwanted(slurm::JobId job, const workload::Identity& identity) {
  return std::ranges::all_of(identity.members, [&](const workload::Member& member) {
    const auto pod = cluster_.pods().find(member.pod);
    return is_orphan(job, member, pod.get());
  });
}

net::Task<void> OrphanSweeper::examine(slurm::JobId job, workload::Identity identity) {
  for (const workload::Member& member : identity.members) {
    const auto pod = co_await context_.api<kube::Pod>().find(member.pod);
    if (!pod.ok()) co_return;  // an error proves nothing
    if (!*pod) continue;       // the server has no such pod
    if (!is_orphan(job, member, &**pod)) co_return;
  }
  if (!context_.may_act()) co_return;
  // Called right before the cancel is sent. During the read of the job, the scheduler may have
  // adopted it for its pod; after done_with(), the scheduler does not find the job any more. If the
  // cancel fails, the next scan finds the job again.
  const writes::JobMatches is_the_same = [this, job, identity](const slurm::JobIdentity& now) {
    if (workload::read_identity(now.admin_comment) != identity || !looks_unwanted(job, identity))
      return false;
    cluster_.done_with(job);
    return true;
  };
  const auto cancelled = co_await writes::cancel_if(
      context_.slurm, job, is_the_same, context_.loop.in(runtime::kCallTimeout));
  if (!cancelled.ok()) {
    context_.steps.failed("sweep", cancelled.error().kind());
    context_.log.warn("cannot cancel an orphaned job",
                      {{"job", job}, {"error", cancelled.error()}});
    co_return;
  }
  if (*cancelled) {
    context_.steps.done("sweep");
    context_.log.info("cancelled an orphaned job: no pod needs it",
                      {{"job", job}, {"pod", identity.members.front().pod.to_string()}});
  }
  cluster_.mirror().hurry();
}

}  // namespace bridge::pods
