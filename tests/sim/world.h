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

// A violated invariant.
struct Violation {
  std::string invariant;
  std::string what;
  base::Instant at{};
};

// The world of one history: both systems, the network, the kubelets, the bridge processes and the
// invariants.
class World {
 public:
  enum class Record { no, yes };

  World(const Plan& plan, Record record);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  // Executes the plan, then waits until all has settled and, if the plan requires it, stays quiet.
  std::optional<Violation> run();
  // Instead of run(): advances the time without a plan.
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
  // Schedules a later action, such as one that undoes the present one.
  void later(base::Duration delay, std::function<void()> what);
  // When an action of later() was last executed.
  base::Instant stirred_at() const { return stirred_at_; }
  // Sends a request of a user to the API server, without network and faults.
  net::http::Response as_user(net::http::Request request);
  // Creates a Kubernetes node that is ready.
  void add_node(const std::string& name);
  // From now on and for this time, the bridge processes may not know the latest state.
  void trouble(base::Duration lasting = {});
  void restart_in(Process& process, base::Duration delay);
  void kill(Process& process, base::Duration restart_after);
  // slurmctld starts with an empty state directory.
  void lose_slurm_state();
  // slurmctld starts with its state of an earlier time.
  void return_slurm_to(base::Instant then);
  // A backup slurmctld takes over with the state of an earlier time, until fail_back(): then the
  // primary returns with its own state.
  void fail_over(base::Instant then);
  void fail_back();
  bool failed_over() const { return primary_.has_value(); }
  // The process crashes at one of its next requests, after `skip` requests.
  enum class CrashPoint { before_sending, after_the_effect };
  void crash_at_request(const std::string& process, std::uint64_t skip, CrashPoint point);

  // --- for invariants: the actual state ---
  const Plan& plan() const { return plan_; }
  const std::map<std::string, PodTruth>& pods() const { return pods_; }  // by uid
  const PodTruth* pod(const std::string& uid) const;
  const PodTruth* pod_named(std::string_view ns, std::string_view name) const;
  // All nodes of the plan by their Kubernetes names, also those that a system lacks at present.
  const std::map<std::string, NodeTruth>& nodes() const;
  const NodeTruth& node(const std::string& name) const;
  // Grows with each change of a node.
  std::uint64_t node_changes() const { return kube_node_writes_ + slurm_.node_changes(); }
  // The name of a node in the other system.
  std::string slurm_name(const std::string& kube_name) const;
  std::string kube_name(const std::string& slurm_name) const;
  // Resources of a node.
  struct Room {
    unsigned cpus = 0;
    unsigned memory_gib = 0;
  };
  Room allocatable(const std::string& node) const;
  // Requests of the pods on a node that have not ended and for which `counts` is true.
  Room taken(const std::string& node, const std::function<bool(const PodTruth&)>& counts) const;
  // Whether the pod fits beside all other pods of the node.
  bool has_room(const std::string& node, const PodTruth& pod) const;
  static std::string disk_of(const std::string& node);
  // When the acting process was last restarted.
  base::Instant began() const;
  // Until when the bridge processes may not have known the latest state.
  base::Instant troubled_until() const;
  // The bridge process whose request takes effect now; empty if there is none.
  const std::string& acting() const { return acting_; }
  // When that process sent the request.
  base::Instant acting_since() const { return acting_since_; }
  // The acting process read this id right before it sent its request, and the id then belonged to
  // another job, of this bridge: slurmctld lost jobs in between. Slurm has no conditional cancel or
  // update, so no process can prevent this (docs/reliability.md, "What cannot be promised").
  bool id_changed_hands(const models::slurm::SlurmJob& job) const;
  // The uids in a job's identity. For a job of the reference, the uids of its listed pods that have
  // its label. Empty for a foreign job.
  const std::vector<std::string>& members(const models::slurm::SlurmJob& job) const;
  bool is_of(const models::slurm::SlurmJob& job, const std::string& uid) const;
  // The bridge process that submitted the job; empty if there is none.
  const std::string& maker(std::uint32_t job) const;
  // Slurm lost this job of this pod in a restart that lost all jobs, or more of them than it kept.
  bool vanished(std::uint32_t job, const std::string& uid) const;
  // A backup slurmctld acts, and the primary still has this job of a pod that ran at the failover.
  bool comes_back(std::uint32_t job, const std::string& uid) const {
    return primary_ && primary_->running.contains({job, uid});
  }
  // Only the backup slurmctld had this job of a running pod; the primary returned without it.
  bool lost_at_failback(std::uint32_t job, const std::string& uid) const {
    return lost_at_failback_.contains({job, uid});
  }
  // No bridge process runs, so that no process observes present changes.
  bool nobody_runs() const;
  // slurmctld has restarted with another state in this history: jobs may have returned or be lost.
  bool slurm_crashed() const;
  bool quiet() const { return quiet_; }
  std::uint64_t requests() const { return requests_; }
  // The number of crashes by crash_at_request().
  std::uint64_t crashes() const { return crashed_; }
  // The number of executions of each action.
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
  mutable std::map<std::string, NodeTruth> nodes_;  // valid for nodes_as_of_
  mutable std::uint64_t nodes_as_of_ = 0;
  std::set<std::string> cordoned_by_us_;  // Kubernetes nodes
  std::map<std::uint32_t, std::string> makers_;
  // The jobs that slurmctld lost in a restart.
  struct Loss {
    std::set<std::pair<std::uint32_t, std::string>> jobs;  // with their running pods
    std::size_t kept = 0;                                  // number of kept jobs of bound pods
  };
  // The state of the primary while the backup acts.
  struct Primary {
    models::slurm::SlurmState state;
    std::map<std::uint32_t, std::string> makers;
    std::set<std::pair<std::uint32_t, std::string>> running;  // jobs with their pods
  };
  // The loss among the jobs of bound pods if only jobs with `is_kept` are kept.
  Loss loss_but_for(const std::function<bool(const models::slurm::SlurmJob&)>& is_kept) const;
  bool still_runs(std::uint32_t job, const std::string& uid) const;
  const std::vector<std::string>& reference_members(const models::slurm::SlurmJob& job,
                                                    const std::vector<std::string>& listed) const;
  std::vector<Loss> losses_;
  std::set<std::pair<std::uint32_t, std::string>> lost_at_failback_;  // jobs with their pods
  std::optional<Primary> primary_;
  std::string acting_;
  base::Instant acting_since_{};  // when it sent its request
  // A process read one job.
  struct Look {
    std::string process;
    std::uint32_t job = 0;
    base::Instant sent{};
    base::Instant answered{};
    std::optional<models::slurm::SlurmJob> seen;  // empty: Slurm did not know the id
  };
  std::deque<Look> looks_;                      // recent enough for a write that is based on them
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
