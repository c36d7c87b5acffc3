// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/own_job.h"

#include "bridge/marks/named_job.h"
#include "bridge/state/job_members.h"
#include "bridge/writes/cancel.h"

namespace bridge::scheduling {
namespace {

using base::Kind;
using base::Result;

// Whether the pod names this job, by the server's own word.
net::Task<Result<bool>> names_it(const runtime::Links& links,
                                 state::Picture& picture,
                                 kube::ObjectKey key,
                                 kube::Uid uid,
                                 slurm::JobId job) {
  const auto answer = co_await links.kube.get(kube::object_path(kube::kPods, key),
                                              links.loop.in(runtime::kCallTimeout));
  if (!answer.ok()) {
    if (answer.error().is(Kind::not_found)) co_return false;
    co_return answer.error();
  }
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(*answer));
  CO_TRY(const kube::Pod pod, kube::decode_object<kube::Pod>(object));
  picture.pods().written(object);
  const bool same_pod = pod.metadata.uid == uid;
  co_return same_pod&& marks::named_job(pod) == job;
}

}  // namespace

net::Task<bool> take_back(const runtime::Links& links,
                          state::Picture& picture,
                          kube::ObjectKey pod,
                          kube::Uid uid,
                          OwnJob own) {
  const auto named = co_await names_it(links, picture, pod, uid, own.id);
  if (!named.ok()) {
    note_failed_step(links, "take back", pod, named.error());
    co_return false;
  }
  if (*named) co_return true;
  state::Stake others = state::Stake::none;
  const writes::CommentMatches is_what_we_made = [&](std::string_view says) {
    if (says != own.comment) return false;
    others = stake_of_others(picture, own.id, says, uid);
    return others == state::Stake::none;
  };
  const auto cancelled = co_await writes::cancel_if(
      links.slurm, own.id, is_what_we_made, links.loop.in(runtime::kCallTimeout));
  if (!cancelled.ok()) {
    links.log.warn("cannot cancel a job that we made and nobody needs",
                   {{"job", own.id.value()}, {"error", cancelled.error()}});
    co_return false;
  }
  if (others == state::Stake::holds) co_return false;
  if (*cancelled) {
    links.tally.done("cancel own");
    links.log.info("cancelled a job that we made and nobody needs", {{"job", own.id.value()}});
  }
  picture.done_with(own.id);
  co_return true;
}

}  // namespace bridge::scheduling
