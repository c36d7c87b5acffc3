// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/node.h"
#include "models/slurm/api_versions.h"
#include "models/slurm/place.h"
#include "models/slurm/records.h"
#include "models/slurm/text.h"
#include "net/http_wire/http.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace models::slurm {

struct SlurmCall;
struct JobAsked;

struct SlurmOptions {
  std::vector<SlurmNode> nodes;
  std::vector<SlurmPartition> partitions{{"slurm-bridge", {}, {}}};
  std::set<std::string> accounts{"physics", "biology"};
  std::map<std::string, SlurmQos> qos{{"normal", {2000, {}, {}}},
                                      {"low", {1000, std::chrono::seconds(15), {}}},
                                      {"urgent", {11000, {}, {"low", "normal"}}}};
  std::vector<std::string> api_versions{
      std::string(kApi43), std::string(kApi44), std::string(kApi45)};
  std::uint32_t first_job_id = 1;
  base::Duration min_job_age = std::chrono::minutes(5);
  base::Duration scheduling_interval = std::chrono::milliseconds(250);
  base::Duration limit_interval = std::chrono::seconds(30);  // how often time limits are checked
  std::size_t max_jobs = 200000;
  std::set<std::string> users;   // users that Slurm can resolve; empty: any name
  std::set<std::string> groups;  // groups, the same
  std::map<std::string, SlurmReservation> reservations;
  bool enforce_limits = false;  // EnforcePartLimits=ALL: a job that can never start is refused
  bool nodes_answer = true;     // a real slurmd answers at NodeAddr of external nodes
  std::string default_account = "physics";  // of a job without an account, if the account exists
  std::string cluster_name = "devcluster";
  std::string release = "26.05.5";  // the reported release
};

// A change of a job, as reported to listeners.
struct JobChange {
  // "submitted", "started", "ended", "updated", "purged", "lost", "returned"
  std::string_view what;
  const SlurmJob* job = nullptr;
};

// Why a job description is rejected. As in the real Slurm, a job that no node could ever run leaves
// a FAILED record, and some rejections use an id.
struct SlurmRefusal {
  int number = 0;
  bool uses_id = false;
  bool leaves_record = false;
};

// Model of slurmctld with its slurmrestd, as seen by clients: external jobs on external nodes.
//
// Expects     one thread; a clock that outlives it; tick() is called when next_tick() is reached.
// Guarantees  each request takes full effect within handle(), or none; answers have the shape,
//             status and error_number of Slurm 26.05 (tests/fixtures/slurm), including its
//             surprising behaviour; ids increase by one, except after restart_losing(),
//             restart_empty() and restart_with(). No resource is allocated twice. A job of higher
//             priority that fits is started before any lower one; a lower one is started first only
//             if it does not delay the first pending job of a partition. A job of a QOS that
//             preempts takes the resources of as few other jobs as possible: they end PREEMPTED at
//             once, or at the first check of time limits after their grace time. External nodes
//             without a slurmd: a preemption with a grace time and any signal except KILL make them
//             NOT_RESPONDING 10 s later, until slurmctld restarts or the node is deleted and
//             created again.
// Does not    check tokens beyond their presence, wait, or inject faults: the network in tests/sim
//             does. Does not begin a reservation or keep its nodes free. Does not shrink a running
//             job: the bridge never does. Does not undo changes of nodes: restart_losing() is about
//             jobs.
class SlurmCluster {
 public:
  SlurmCluster(const base::Clock& clock, SlurmOptions options);

  net::http::Response handle(const net::http::Request& request);

  // Starts, ends (time limits) and purges jobs, each at its own interval; a call before next_tick()
  // changes nothing.
  void tick();
  // When the next tick() could change anything; kNever if nothing will happen by itself.
  base::Instant next_tick() const;

  // Actions of users and administrators without REST.
  // A job of any user, such as a foreign one; unchecked. A job that is not external never runs on
  // an external node.
  std::uint32_t submit(SlurmJob job);
  bool end(std::uint32_t id,
           std::string state,
           std::string reason);  // "CANCELLED", "PREEMPTED", ...
  // A job of higher priority needs its resources.
  void preempt(std::uint32_t id);
  void suspend(std::uint32_t id);
  void resume_job(std::uint32_t id);
  void hold(std::uint32_t id, bool held);
  void drain(const std::string& node, std::string reason);
  void undrain(const std::string& node);
  void fail_node(const std::string& node, std::string reason);  // DOWN: its jobs end NODE_FAIL
  void resume_node(const std::string& node);
  // As scontrol delete and create: false while jobs are on the node, or if it already exists.
  bool remove_node(const std::string& node);
  bool create_node(SlurmNode node);

  // slurmctld restarts. As in the real Slurm, static external nodes lose their DRAIN.
  void restart();
  // As after kill -9: jobs that were submitted after that instant do not exist, their ids are
  // issued again, jobs that started after it are pending again, and jobs that ended after it are as
  // they were before.
  void restart_losing(base::Instant everything_after);
  // Starts with an empty state directory: no job is known, ids begin again.
  void restart_empty();
  // The jobs in the form in which slurmctld saves them.
  SlurmState saved_state() const { return {jobs_, next_id_}; }
  // slurmctld starts with this state, as after a failback to a controller with a state of its own:
  // jobs that are not in it do not exist, and jobs in it are as saved. A job on a node that is
  // deleted or down ends.
  void restart_with(SlurmState state);

  const std::map<std::uint32_t, SlurmJob>& jobs() const { return jobs_; }
  const SlurmJob* find(std::uint32_t id) const;
  const std::map<std::string, SlurmNode>& nodes() const { return nodes_; }
  // Increases when anything of a node changes except its use by jobs.
  std::uint64_t node_changes() const { return node_states_; }

  // MaxJobCount, changed by an administrator.
  void set_max_jobs(std::size_t most) { options_.max_jobs = most; }

  void on_change(std::function<void(const JobChange&)> call) {
    on_change_.push_back(std::move(call));
  }

 private:
  using Response = net::http::Response;

  // Answers (requests.cpp).
  Response dispatch(const SlurmCall& call);
  const std::string& meta_of(std::string_view version) const;
  Response answer(const SlurmCall& call,
                  int status,
                  std::string_view payload,
                  const SlurmComplaints& complaints = {}) const;
  Response ping(const SlurmCall& call) const;
  Response job_states(const SlurmCall& call) const;
  Response list_jobs(const SlurmCall& call) const;
  Response get_job(const SlurmCall& call) const;
  Response get_resources(const SlurmCall& call) const;
  Response cancel_job(const SlurmCall& call);
  Response list_partitions(const SlurmCall& call) const;

  // Submit and update (submit.cpp, update.cpp).
  Response submit_job(const SlurmCall& call);
  Response update_job(const SlurmCall& call);
  std::optional<SlurmRefusal> check(const JobAsked& asked, const SlurmCall& call) const;
  std::optional<SlurmRefusal> check_names(const JobAsked& asked) const;
  std::optional<SlurmRefusal> check_reservation(const JobAsked& asked, const SlurmCall& call) const;
  std::optional<SlurmRefusal> check_limits_of(const SlurmJob& job) const;
  void set_size(const JobAsked& asked, SlurmJob& job) const;
  void set_text_fields(const JobAsked& asked, SlurmJob& job) const;
  std::optional<SlurmRefusal> check_size(const SlurmJob& job, std::vector<int>& warnings) const;
  int apply_update(const JobAsked& asked, const SlurmCall& call, SlurmJob& job);

  // Nodes (nodes.cpp).
  Response list_nodes(const SlurmCall& call);
  Response get_node(const SlurmCall& call);
  Response update_nodes(const SlurmCall& call, const std::vector<std::string>& names);
  Response create_nodes(const SlurmCall& call);
  Response delete_node(const SlurmCall& call);
  int set_node_state(SlurmNode& node, const std::string& state, const std::string& user);
  void send_to_nodes(const SlurmJob& job);
  void miss_answers();
  base::Instant answers_due() const;
  void write_node(SlurmText& out, const SlurmHost& host, std::string_view version) const;
  std::vector<std::string> partitions_of(const std::string& node) const;

  // State changes (cluster.cpp, schedule.cpp).
  SlurmJob& add(SlurmJob job);
  void start(SlurmJob& job, const std::vector<SlurmHost*>& hosts);
  void finish(SlurmJob& job, std::string state, std::string reason);
  void notify_change(std::string_view what, const SlurmJob& job);
  void set_reason(SlurmJob& job, std::string reason, std::string description = "");
  void change_priority(SlurmJob& job, std::int64_t priority);
  void set_held(SlurmJob& job, bool held, bool by_admin);
  void queue(const SlurmJob& job);
  void unqueue(const SlurmJob& job);
  void nodes_changed();
  void need_scheduling();
  void schedule();
  bool enough_nodes(SlurmJob& job) const;
  std::vector<std::uint32_t> victims_for(const SlurmJob& job, SlurmHosts hosts) const;
  const SlurmQos& qos_of(const SlurmJob& job) const;
  void explain_waiting(SlurmJob& job, bool first);
  void explain_unavailable(SlurmJob& job);
  void check_limits();
  void purge();
  base::Instant scheduling_due() const;
  base::Instant limit_due() const;
  base::Instant purge_due() const;
  std::optional<base::Instant> deadline_of(const SlurmJob& job) const;
  base::Instant expected_end(const SlurmJob& job) const;
  std::int64_t wall() const;
  const SlurmPartition* partition(std::string_view name) const;
  SlurmHosts hosts_of(const std::string& partition) const;
  void rebuild_hosts();
  void rebuild_queues();
  void forget_static_states();
  void fail_those_that_require_unknown_nodes();

  const base::Clock& clock_;
  SlurmOptions options_;
  std::map<std::uint32_t, SlurmJob> jobs_;
  std::map<std::string, SlurmNode> nodes_;
  std::vector<std::function<void(const JobChange&)>> on_change_;

  std::uint32_t next_id_ = 1;
  std::map<std::string, SlurmHost> hosts_;                          // by name
  std::map<std::string, std::vector<SlurmHost*>> partition_hosts_;  // by partition
  std::set<std::pair<std::int64_t, std::uint32_t>> queue_;          // (-priority, id): may start
  std::set<std::uint32_t> running_;                                 // includes suspended jobs
  std::set<std::pair<base::Instant, std::uint32_t>> deadlines_;     // of time limits
  std::set<std::pair<base::Instant, std::uint32_t>> ended_;
  std::set<std::pair<base::Instant, std::string>> unanswered_;  // when, and which node
  std::optional<base::Instant> unscheduled_since_;  // something changed that the scheduler must see
  std::optional<base::Instant> last_scheduled_;
  std::uint64_t node_states_ = 0;  // counts the changes of nodes except by jobs
  std::int64_t last_node_update_ = 0;
  std::int64_t last_job_update_ = 0;
  json::Parser parser_;
  mutable std::map<std::string, std::string, std::less<>> meta_;  // by API version
};

}  // namespace models::slurm
