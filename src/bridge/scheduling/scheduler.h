// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/runtime/links.h"
#include "bridge/scheduling/decision.h"
#include "bridge/scheduling/device_classes.h"
#include "bridge/scheduling/node_choice.h"
#include "bridge/scheduling/own_job.h"
#include "bridge/scheduling/owners.h"
#include "bridge/scheduling/refused_kinds.h"
#include "bridge/scheduling/submit_line.h"
#include "bridge/scheduling/volumes.h"
#include "bridge/scheduling/waiting_reasons.h"
#include "bridge/state/picture.h"
#include "kube/cache/work_queue.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>

namespace bridge::scheduling {

// The scheduler role: carries out what next_scheduling_step() decides, one step at a time per pod.
//
// Guarantees  one job per pod whatever is lost on the way: after a submit whose outcome is unknown,
//             and for pods that are older than this process, no job is made before every job that
//             was live in Slurm since then has been looked at.
// Does not    remember anything that matters: what it keeps in memory only saves asking again.
class Scheduler {
 public:
  Scheduler(runtime::Links links, state::Picture& picture);

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
  // slurmctld may still be working on a request whose answer was lost; after this it is not.
  static constexpr auto kLostRequestsSettle = std::chrono::seconds(3);
  static constexpr auto kLookAgainAfter = std::chrono::milliseconds(200);
  static constexpr auto kBindShowsWithin = std::chrono::seconds(10);

  struct Refused {
    base::Instant since;
    std::string words;
  };

  // What this process knows of a pod beyond the picture.
  struct Memory {
    kube::Uid uid;
    base::Instant first_seen;
    // Jobs that were live at this instant must have been looked at before one is made.
    base::Instant look_since = base::Instant::min();
    std::optional<OwnJob> made;
    JobKind made_kind;  // of the job that we made
    // Taken off the pod, because its node could not take it, and still to be cancelled.
    std::optional<OwnJob> returned;
    std::map<slurm::JobId, base::Instant> given_back;     // since when; never again the pod's
    std::optional<slurm::JobId> named;                    // by the pod, when we last saw it
    std::map<slurm::JobId, base::Instant> taken_off;      // the pod before it was bound, and when
    std::map<slurm::SlurmNodeName, base::Instant> avoid;  // until when
    std::optional<base::Instant> held_since;
    std::optional<writes::Explanation> explained;  // what we wrote last
    std::optional<writes::Explanation> hindrance;
    base::Instant hindered_until;
    // What it asked for last; a changed request is asked for at once.
    JobKind asked;
    JobKind asked_with_nodes;  // and those that it leaves out: what Slurm's verdict is about
    // Why Slurm did not take that.
    std::optional<base::Error> refusal;
    base::Instant refused_until;
    std::optional<base::Instant> submits_fail_since;
    std::optional<base::Instant> owners_unread_since;
    // What the API server said first when it began to refuse our writes to the pod.
    std::optional<Refused> write_refused;
    // Jobs in a row that came to nothing.
    int jobs_lost = 0;
    base::Instant last_lost;
    std::optional<base::Instant> bind_accepted_at;
    // Since when the pod waits for an answer of Slurm about its job.
    std::optional<base::Instant> answer_awaited_since;
    bool annotations_reported = false;  // those that have no effect
  };

  // scheduler.cpp: what happens next to a pod, and why nothing does.
  net::Task<kube::Requeue> reconcile(kube::ObjectKey key);
  net::Task<kube::Requeue> forget(kube::ObjectKey key);
  Memory& remember(const kube::ObjectKey& key, const kube::Pod& pod);
  net::Task<base::Result<slurm::JobRequest>> request_for(std::shared_ptr<const kube::Pod> pod);
  PodFacts facts_of(const kube::Pod& pod,
                    const Memory& memory,
                    const base::Result<slurm::JobRequest>& request);
  JobKind question_of(const kube::Pod& pod, slurm::JobRequest request) const;
  void look_at_node(const kube::Pod& pod, PodFacts& facts);
  static bool is_own(const Step& step, const Memory& memory);
  net::Task<kube::Requeue> act(std::shared_ptr<const kube::Pod> pod, Memory& memory, Step step);
  net::Task<kube::Requeue> nothing_to_do(std::shared_ptr<const kube::Pod> pod, Memory& memory);
  net::Task<kube::Requeue> cancel_own(std::shared_ptr<const kube::Pod> pod,
                                      Memory& memory,
                                      slurm::JobId job);

  // scheduler_explaining.cpp: what is said when nothing goes on.
  net::Task<kube::Requeue> wait(std::shared_ptr<const kube::Pod> pod,
                                Memory& memory,
                                writes::Explanation why);
  net::Task<kube::Requeue> explain(std::shared_ptr<const kube::Pod> pod,
                                   Memory& memory,
                                   writes::Explanation why);
  struct Failure {
    base::Instant since;
    writes::Explanation why;
  };
  net::Task<void> explain_if_it_lasts(std::shared_ptr<const kube::Pod> pod,
                                      Memory& memory,
                                      Failure failure);
  kube::Requeue failed(std::string_view what, const kube::Pod& pod, const base::Error& error);
  net::Task<kube::Requeue> owners_unread(std::shared_ptr<const kube::Pod> pod,
                                         Memory& memory,
                                         base::Error error);
  // `what` is a literal: the step that wrote.
  net::Task<kube::Requeue> write_failed(std::string_view what,
                                        std::shared_ptr<const kube::Pod> pod,
                                        Memory& memory,
                                        base::Error error);
  bool refused_for_long(const Memory& memory) const;
  net::Task<kube::Requeue> await_answer(std::shared_ptr<const kube::Pod> pod, Memory& memory);
  void look_when_it_may_ask_again(const kube::ObjectKey& key, const Memory& memory);

  // scheduler_submitting.cpp: up to a job that waits.
  net::Task<kube::Requeue> look_for_job(std::shared_ptr<const kube::Pod> pod, Memory& memory);
  net::Task<kube::Requeue> submit(std::shared_ptr<const kube::Pod> pod,
                                  Memory& memory,
                                  slurm::JobRequest request);
  void let_next_submit();
  net::Task<kube::Requeue> wait_for_nodes(std::shared_ptr<const kube::Pod> pod, Memory& memory);
  net::Task<kube::Requeue> make_job(std::shared_ptr<const kube::Pod> pod,
                                    Memory& memory,
                                    slurm::JobRequest request);
  net::Task<kube::Requeue> submit_failed(std::shared_ptr<const kube::Pod> pod,
                                         Memory& memory,
                                         base::Error error);
  void keep_refusal(Memory& memory, base::Error verdict);
  void others_may_ask(JobKind kind, const kube::ObjectKey& taken);
  net::Task<void> report_ignored_annotations(std::shared_ptr<const kube::Pod> pod, Memory& memory);
  base::Instant look_at_hindered_at(const kube::Pod& pod, const Memory& memory) const;
  void a_node_may_fit(const kube::ObjectKey& key);
  // Leaves out what can never take the pod. An Explanation: there is no sense in submitting it now.
  net::Task<std::optional<writes::Explanation>> restrict_nodes(std::shared_ptr<const kube::Pod> pod,
                                                               Memory& memory,
                                                               slurm::JobRequest& request);
  std::set<slurm::SlurmNodeName> avoided(Memory& memory);
  net::Task<void> mend_left_out(slurm::Job job);

  // scheduler_placing.cpp: from a job to a bound pod, or back.
  net::Task<kube::Requeue> label(std::shared_ptr<const kube::Pod> pod,
                                 Memory& memory,
                                 slurm::JobId job);
  void let_go_of_unnamed(const kube::Pod& pod, Memory& memory, slurm::JobId job);
  net::Task<kube::Requeue> bind(std::shared_ptr<const kube::Pod> pod, Memory& memory, Bind step);
  net::Task<std::optional<kube::Requeue>> volumes_in_the_way(std::shared_ptr<const kube::Pod> pod,
                                                             Memory& memory,
                                                             Bind step);
  bool still_has_its_node(const kube::Pod& pod, const Bind& step);
  net::Task<base::Result<void>> release_volumes(std::shared_ptr<const kube::Pod> pod,
                                                std::vector<slurm::SlurmNodeName> nodes);
  net::Task<kube::Requeue> start_over(std::shared_ptr<const kube::Pod> pod,
                                      Memory& memory,
                                      StartOver step);
  net::Task<kube::Requeue> give_back(std::shared_ptr<const kube::Pod> pod,
                                     Memory& memory,
                                     GiveBack step);
  // Somebody took the job off the pod a moment ago, perhaps another process that is about to cancel
  // it: it is not to be named again meanwhile.
  bool is_about_to_go(const Memory& memory, slurm::JobId job) const;
  void remember_given_back(Memory& memory, slurm::JobId job);
  void wait_before_the_next_job(Memory& memory, writes::Cause cause, std::string_view because);

  runtime::Links links_;
  state::Picture& picture_;
  kube::WorkQueue<kube::ObjectKey> queue_;
  std::map<kube::ObjectKey, Memory> memory_;
  base::Instant started_;
  OwnerReader owners_;
  VolumeReader volumes_;
  NodeChoice choice_;
  WaitingReasons waiting_;
  RefusedKinds refused_;
  SubmitLine submit_line_;
  DeviceClasses device_classes_;
};

}  // namespace bridge::scheduling
