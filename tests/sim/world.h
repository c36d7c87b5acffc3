// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "chance.h"
#include "faults.h"
#include "invariant.h"
#include "models/actors/agenda.h"
#include "models/actors/garbage_collector.h"
#include "models/actors/kubelets.h"
#include "models/actors/volume_controller.h"
#include "models/kube/server.h"
#include "models/slurm/cluster.h"
#include "network.h"
#include "plan.h"
#include "process.h"
#include "timeline.h"
#include "truth.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sim {

// An invariant that does not hold.
struct Violation {
  std::string invariant;
  std::string what;
  base::Instant at{};
};

// Everything: the two systems, the wires, the kubelets, our processes, and who watches over them.
// One history is one World.
class World {
 public:
  enum class Record { no, yes };

  World(const Plan& plan, Record record);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  // Lives the plan to its end, then until everything is settled and was quiet for a while.
  std::optional<Violation> run();
  // Instead of run(): time passes, and everybody does what they do.
  void pass(base::Duration time) { run_until(now() + time); }
  const std::optional<Violation>& violation() const { return violation_; }

  // --- for actions ---
  base::VirtualClock& clock() { return clock_; }
  base::Instant now() const { return clock_.now(); }
  Agenda& agenda() { return agenda_; }
  Chance& chance() { return chance_; }
  Faults& faults() { return faults_; }
  Network& network() { return network_; }
  models::kube::KubeServer& kube() { return kube_; }
  models::slurm::SlurmCluster& slurm() { return slurm_; }
  models::actors::Kubelets& kubelets() { return kubelets_; }
  std::vector<std::unique_ptr<Process>>& processes() { return processes_; }
  Timeline& timeline() { return timeline_; }
  // What somebody does after a while, such as to undo what he did now.
  void later(base::Duration delay, std::function<void()> what);
  // When somebody has last done something later.
  base::Instant stirred_at() const { return stirred_at_; }
  // A request to the API server that always arrives, as a user's.
  net::http::Response as_user(net::http::Request request);
  // A Kubernetes node that is ready.
  void add_node(const std::string& name);
  // From now on, and for so long, our processes may know less than they should.
  void trouble(base::Duration lasting = {});
  void restart_in(Process& process, base::Duration delay);
  void kill(Process& process, base::Duration restart_after);
  // slurmctld starts with an empty state directory.
  void lose_slurm_state();
  // slurmctld starts with the state that it had then.
  void return_slurm_to(base::Instant then);
  // A backup slurmctld takes over with the state of then, until the primary returns with its own.
  void fail_over(base::Instant then);
  void fail_back();
  bool failed_over() const { return primary_.has_value(); }
  // The process dies at one of its next requests.
  enum class CrashPoint { before_sending, after_the_effect };
  void crash_at_request(const std::string& process, std::uint64_t skip, CrashPoint point);

  // --- for invariants: the truth ---
  const Plan& plan() const { return plan_; }
  const std::map<std::string, PodTruth>& pods() const { return pods_; }  // by uid
  const PodTruth* pod(const std::string& uid) const;
  const PodTruth* pod_named(std::string_view ns, std::string_view name) const;
  // By their names in Kubernetes: those of the plan, whoever knows them right now.
  const std::map<std::string, NodeTruth>& nodes() const;
  const NodeTruth& node(const std::string& name) const;
  // Grows whenever one of them has changed.
  std::uint64_t node_changes() const { return kube_node_writes_ + slurm_.node_changes(); }
  // The same node, as the other side calls it.
  std::string slurm_name(const std::string& kube_name) const;
  std::string kube_name(const std::string& slurm_name) const;
  // What pods may take of a node.
  struct Room {
    unsigned cpus = 0;
    unsigned memory_gib = 0;
  };
  Room allocatable(const std::string& node) const;
  // What the pods hold there that have not ended, as far as `counts` says so.
  Room taken(const std::string& node, const std::function<bool(const PodTruth&)>& counts) const;
  // Beside all pods that are there.
  bool has_room(const std::string& node, const PodTruth& pod) const;
  static std::string disk_of(const std::string& node);
  // When the process that acts was started.
  base::Instant began() const;
  // Until when our processes may not have learned what happened, as far as anybody can tell.
  base::Instant troubled_until() const;
  // Which of our processes acts right now; empty if it is none of them.
  const std::string& acting() const { return acting_; }
  // When that process sent the request that takes effect right now.
  base::Instant acting_since() const { return acting_since_; }
  // The acting process read this id right before it sent its request, and the id was then a job of
  // this bridge, not this job: slurmctld lost jobs in between. Slurm has no conditional cancel or
  // update, so no process can prevent this (docs/reliability.md, "What cannot be promised").
  bool id_changed_hands(const models::slurm::SlurmJob& job) const;
  // The uids in a job's identity; of a job of the reference, those of the listed pods that name it.
  // Empty if it is not one of this bridge's.
  const std::vector<std::string>& members(const models::slurm::SlurmJob& job) const;
  bool is_of(const models::slurm::SlurmJob& job, const std::string& uid) const;
  // Who made the job; empty if that was none of our processes.
  const std::string& maker(std::uint32_t job) const;
  // Slurm lost its whole state while it had this job for this pod, or more than it kept.
  bool vanished(std::uint32_t job, const std::string& uid) const;
  // The job of a pod that ran when the backup slurmctld took over: the primary still has it.
  bool comes_back(std::uint32_t job, const std::string& uid) const {
    return primary_ && primary_->running.contains({job, uid});
  }
  // Only the backup slurmctld had this job of a running pod; it is gone since the primary returned.
  bool lost_at_failback(std::uint32_t job, const std::string& uid) const {
    return lost_at_failback_.contains({job, uid});
  }
  // The job returned with the primary; under the backup its id was another job's. Between two scans
  // nothing shows that (slurm/mirror/scan.h).
  bool returned_over_another(std::uint32_t job) const {
    return returned_over_another_.contains(job);
  }
  // None of our processes runs: what happens now is seen by nobody.
  bool nobody_runs() const;
  // slurmctld has died: what it forgot may live again, and what it knew may be gone.
  bool slurm_crashed() const;
  bool quiet() const { return quiet_; }
  std::uint64_t requests() const { return requests_; }
  // How many processes died at one of their requests.
  std::uint64_t crashes() const { return crashed_; }
  // How often each action was done.
  const std::map<std::string, std::uint64_t>& steps_done() const { return steps_done_; }

  void broken(const Invariant& invariant, std::string what);

 private:
  struct Crash {
    std::string process;
    std::uint64_t skip;
    CrashPoint point;
  };

  void start_processes();
  void populate();
  void listen();
  void object_changed(const models::kube::ObjectWrite& write);
  void note_who_cordons(const models::kube::ObjectWrite& write);
  bool before_request(const std::string& sender);
  void after_request(const std::string& sender, const Request& request);
  void note_look(const Request& request);
  void die_now(Process& process);
  void run_until(base::Instant until);
  bool run_this_instant();
  base::Instant next() const;
  void settle();
  bool come_to_rest();
  bool everybody_runs() const;
  std::optional<std::string> unfinished(const Invariant** whose);
  Process* process(const std::string& name);

  Plan plan_;
  base::VirtualClock clock_;
  Chance chance_;
  Agenda agenda_{clock_};
  Timeline timeline_;
  Faults faults_{clock_, chance_};
  Network network_{agenda_, chance_, faults_, timeline_};
  models::kube::KubeServer kube_{clock_};
  models::slurm::SlurmCluster slurm_;
  models::actors::Kubelets kubelets_{
      agenda_, kube_, {[this](auto least, auto most) { return chance_.between(least, most); }}};
  models::actors::VolumeController volumes_{
      agenda_,
      kube_,
      {[this](auto least, auto most) { return chance_.between(least, most); },
       [this](const std::string&, const std::string&) { return chance_.one_in(4); }}};
  models::actors::GarbageCollector garbage_{
      agenda_, kube_, [this](auto least, auto most) { return chance_.between(least, most); }};
  std::vector<std::unique_ptr<Invariant>> invariants_;
  std::map<std::string, PodTruth> pods_;
  std::uint64_t kube_node_writes_ = 0;
  mutable std::map<std::string, NodeTruth> nodes_;  // as of nodes_as_of_
  mutable std::uint64_t nodes_as_of_ = 0;
  std::set<std::string> cordoned_by_us_;  // Kubernetes nodes
  std::map<std::uint32_t, std::string> makers_;
  // What slurmctld did not know any more when it came back.
  struct Loss {
    std::set<std::pair<std::uint32_t, std::string>> jobs;  // with their pods that ran
    std::size_t kept = 0;                                  // of other pods that were bound
  };
  // What the primary has while the backup acts.
  struct Primary {
    models::slurm::SlurmState state;
    std::map<std::uint32_t, std::string> makers;
    std::set<std::pair<std::uint32_t, std::string>> running;  // jobs with their pods
  };
  // What is lost of the jobs of bound pods if only those are kept.
  Loss loss_but_for(const std::function<bool(const models::slurm::SlurmJob&)>& is_kept) const;
  bool still_runs(std::uint32_t job, const std::string& uid) const;
  const std::vector<std::string>& reference_members(const models::slurm::SlurmJob& job,
                                                    const std::vector<std::string>& listed) const;
  std::vector<Loss> losses_;
  std::set<std::pair<std::uint32_t, std::string>> lost_at_failback_;  // jobs with their pods
  std::set<std::uint32_t> returned_over_another_;
  std::optional<Primary> primary_;
  std::string acting_;
  base::Instant acting_since_{};  // when it sent that request
  // A process read one job.
  struct Look {
    std::string process;
    std::uint32_t job = 0;
    base::Instant sent{};
    base::Instant answered{};
    std::optional<models::slurm::SlurmJob> seen;  // empty: Slurm did not know the id
  };
  std::deque<Look> looks_;                      // those that a request may still follow
  std::map<std::string, base::Instant> began_;  // by process
  std::string cluster_;
  mutable std::map<std::string, std::vector<std::string>> members_;  // by admin_comment
  mutable std::map<std::string, std::vector<std::string>> reference_pods_;
  mutable std::map<std::uint32_t, std::vector<std::string>> reference_members_;
  std::vector<Crash> crashes_;
  bool quiet_ = false;
  base::Instant stirred_at_{};
  base::Instant troubled_until_{};
  std::uint64_t requests_ = 0;
  std::uint64_t crashed_ = 0;
  std::map<std::string, std::uint64_t> steps_done_;
  std::optional<Violation> violation_;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace sim
