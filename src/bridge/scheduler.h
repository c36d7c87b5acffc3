// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/exclusions.h"
#include "bridge/links.h"
#include "bridge/owners.h"
#include "bridge/picture.h"
#include "bridge/scheduling.h"
#include "bridge/volumes.h"
#include "bridge/waiting_reasons.h"
#include "kube/work_queue.h"

#include <map>
#include <optional>
#include <set>

namespace bridge {

// The scheduler role: carries out what next_scheduling_step() decides, one step at a time per pod.
//
// Guarantees  one job per pod whatever is lost on the way: after a submit whose outcome is unknown,
//             and for pods that are older than this process, no job is made before every job that
//             was live in Slurm since then has been looked at.
// Does not    remember anything that matters: what it keeps in memory only saves asking again.
class Scheduler {
 public:
  Scheduler(Links links, Picture& picture);

  // Begins to listen. Call once both stores are about to be filled.
  void start();
  // No new step begins after this.
  void stop() { queue_.stop(); }
  // For the end of a leadership: jobs that we made and that their pods do not show are written onto
  // them or cancelled. Returns when there are none left, or at the deadline.
  net::Task<void> finish(base::Instant deadline);
  // One of the two systems answers again.
  void retry_failed() { queue_.retry_failed(); }
  // Keeps asking Slurm why jobs wait. A task for as long as it listens.
  net::Task<void> explain_waiting() { return waiting_.run(); }

 private:
  // A job of ours, with what it says of itself.
  struct OwnJob {
    slurm::JobId id;
    std::string comment;
  };
  // What this process knows of a pod beyond the picture.
  struct Memory {
    kube::Uid uid;
    base::Instant first_seen;
    // Jobs that were live at this instant must have been looked at before one is made.
    base::Instant look_since = base::Instant::min();
    std::optional<OwnJob> made;
    // Taken off the pod, because its node could not take it, and still to be cancelled.
    std::optional<OwnJob> returned;
    std::set<slurm::JobId> given_back;  // never again the pod's, whatever an old answer says
    std::map<slurm::SlurmNodeName, base::Instant> avoid;  // until when
    std::optional<base::Instant> held_since;
    std::optional<Explanation> explained;  // what we wrote last
    std::optional<Explanation> hindrance;
    base::Instant hindered_until;
    std::optional<base::Error> refusal;
    std::string refused_body;  // what was refused: a changed request is asked again at once
    base::Instant refused_until;
    std::optional<base::Instant> bind_accepted_at;
  };

  net::Task<kube::Again> reconcile(kube::ObjectKey key);
  net::Task<kube::Again> forget(kube::ObjectKey key);
  PodFacts facts_of(const kube::Pod& pod,
                    const Memory& memory,
                    const base::Result<slurm::JobRequest>& request);
  Memory& remember(const kube::ObjectKey& key, const kube::Pod& pod);

  void look_at_node(const kube::Pod& pod, PodFacts& facts);
  net::Task<base::Result<slurm::JobRequest>> request_for(std::shared_ptr<const kube::Pod> pod);
  // Leaves out what can never take the pod. An Explanation: there is no sense in submitting it now.
  net::Task<std::optional<Explanation>> restrict_nodes(std::shared_ptr<const kube::Pod> pod,
                                                       Memory& memory,
                                                       slurm::JobRequest& request);
  net::Task<kube::Again> wait(std::shared_ptr<const kube::Pod> pod,
                              Memory& memory,
                              Explanation why);
  static bool is_own(const Step& step, const Memory& memory);
  net::Task<kube::Again> act(std::shared_ptr<const kube::Pod> pod, Memory& memory, Step step);
  net::Task<kube::Again> look_for_job(Memory& memory);
  net::Task<kube::Again> submit(std::shared_ptr<const kube::Pod> pod,
                                Memory& memory,
                                slurm::JobRequest request);
  net::Task<kube::Again> label(std::shared_ptr<const kube::Pod> pod,
                               Memory& memory,
                               slurm::JobId job);
  net::Task<kube::Again> bind(std::shared_ptr<const kube::Pod> pod, Memory& memory, Bind step);
  net::Task<kube::Again> start_over(std::shared_ptr<const kube::Pod> pod,
                                    Memory& memory,
                                    StartOver step);
  net::Task<kube::Again> give_back(std::shared_ptr<const kube::Pod> pod,
                                   Memory& memory,
                                   GiveBack step);
  net::Task<std::optional<kube::Again>> volumes_in_the_way(std::shared_ptr<const kube::Pod> pod,
                                                           Memory& memory,
                                                           Bind step);
  // True when the job needs no more care: it is gone, or the pod names it after all.
  net::Task<bool> take_back(kube::ObjectKey key, kube::Uid uid, OwnJob own);
  net::Task<base::Result<bool>> names_it(kube::ObjectKey key, kube::Uid uid, slurm::JobId job);
  net::Task<kube::Again> explain(std::shared_ptr<const kube::Pod> pod,
                                 Memory& memory,
                                 Explanation why);
  // Writes a patch to the pod and takes the answer into the picture.
  net::Task<base::Result<void>> patch(const kube::Pod& pod, json::Object body);
  kube::Again failed(std::string_view what, const kube::Pod& pod, const base::Error& error);

  Links links_;
  Picture& picture_;
  kube::WorkQueue<kube::ObjectKey> queue_;
  std::map<kube::ObjectKey, Memory> memory_;
  base::Instant started_;
  OwnerReader owners_;
  VolumeReader volumes_;
  WaitingReasons waiting_;
};

}  // namespace bridge
