// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/process/cluster_id.h"
#include "bridge/process/roles.h"
#include "bridge/process/slurm_contact.h"
#include "bridge/process/token_watch.h"
#include "bridge/runtime/role_context.h"
#include "bridge/runtime/step_counters.h"
#include "kube/cache/list_watch_health.h"
#include "kube/election/election.h"
#include "kube/events/events.h"
#include "net/async/signal.h"
#include "slurm/mirror/state.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bridge::process {

// Leader election among several processes, of which one acts. A Lease does not exclude a second
// leader for a short time; two leaders do no harm because their writes to the API server are
// conditional and surplus jobs are cancelled.
struct Leadership {
  std::vector<kube::ObjectKey> leases;  // acquired in this order; all are held while acting
  std::string name;                     // of this process; the instance adds a random suffix
  kube::ElectionTimes times{};
};

struct InstanceOptions {
  Role role = Role::all;
  std::string host;  // where the process runs: the reporting host of Events
  std::string scheduler_name;
  config::LiveSettings live;  // initial values; see Instance::apply()
  slurm::MirrorOptions mirror;
  std::optional<Leadership> leadership;  // empty: no leader election
  // The Lease on which the scheduler notes the cluster id for other processes (cluster_id.h).
  kube::ObjectKey cluster_id_lease{"default", kClusterNote};
  // How many pods and nodes the controllers process at once, and so how many requests they send.
  std::size_t pod_workers = 32;
  std::size_t node_workers = 32;
};

// The clients of both systems. All of them outlive the instance.
struct Clients {
  kube::Client& kube;
  kube::Client& leases;  // the same server; a connection for Leases only
  slurm::Client& slurm;
  slurm::Client& polls;  // the same slurmrestd; connections for polls only
};

// Sizes and counters of an instance's caches, for metrics only.
struct InstanceStats {
  // One resource of the API server that is listed and watched.
  struct Feed {
    std::string_view resource;
    std::size_t objects = 0;
    std::uint64_t lists = 0;
    std::uint64_t watches = 0;
    std::uint64_t gone = 0;  // answers 410 Gone: the resourceVersion was too old
  };
  std::vector<Feed> feeds;
  std::size_t jobs_followed = 0;
  // Running pods whose job is unknown to Slurm, without proof that the job ended.
  std::size_t pods_in_doubt = 0;
  std::size_t slurm_nodes = 0;
  std::size_t not_responding = 0;  // nodes among them that Slurm does not reach
};

// One running bridge: the chosen roles on one cluster state. The daemon runs one instance, the
// simulation many.
//
// Expects     that loop and clients outlive it; run() as a task of a group that ends before it.
// Guarantees  acts only through the clients; keeps no state that the next instance needs; does not
//             act before it leads; after it lost the lead, it only writes jobs that it submitted
//             itself onto their pods, or cancels them.
class Instance {
 public:
  Instance(net::Loop& loop, Clients clients, base::Log log, InstanceOptions options);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  // Acquires its Leases, reads the cluster id, connects to Slurm and runs the roles. Returns after
  // stop() when its steps are finished and its Leases released, with an error when it loses a
  // Lease, and at once when its task is cancelled. All tasks of the instance have ended then.
  net::Task<base::Result<void>> run();
  void stop();
  // Later decisions use these settings. Earlier actions are not undone.
  void apply(config::LiveSettings live);

  bool leading() const;

  // Whether the roles are ready, or the reason why not.
  //
  // Scheduler and controllers are ready when the API server was reached and pods and nodes have
  // been listed and can be watched (ListWatchHealth::problem). A process that waits for its Lease
  // is ready, unless it can never acquire the Lease. Slurm does not affect the result (polled()).
  base::Result<void> ready() const;
  // Whether the latest complete poll of Slurm's jobs is recent, or the reason why not. A short
  // absence of Slurm is not an error: the roles wait and continue by themselves.
  base::Result<void> polled() const;
  const SlurmContact& slurm() const { return contact_; }
  const slurm::TokenCheck& token() const { return token_.latest(); }
  const runtime::StepCounters& steps() const { return tally_; }
  const kube::Events& events() const { return events_; }
  InstanceStats stats() const;

 private:
  // What the instance waits for.
  enum class Phase { lead, kubernetes, slurm, nothing };

  // The objects that are created once both systems have been reached.
  struct Parts;

  net::Task<base::Result<void>> work();
  net::Task<base::Result<void>> start();
  net::Task<base::Result<void>> lead();
  net::Task<base::Result<void>> acquire_first();
  net::Task<void> hold(kube::Election& election);
  net::Task<void> wind_down();
  void announce(kube::Severity severity, std::string reason, std::string message);
  void announce(const kube::ListWatchReport& report, const std::string& cluster);
  base::Result<void> ready_to_lead() const;
  net::Task<base::Result<std::string>> learn_cluster();
  net::Task<void> note_cluster(std::string id);
  net::Task<base::Result<slurm::ApiVersion>> slurm_version();

  net::Loop& loop_;
  Clients clients_;
  base::Log log_;
  InstanceOptions options_;
  Phase phase_;
  base::Instant polls_since_{};       // when requests to Slurm began
  std::string in_the_way_;            // the error of the latest read of the cluster id
  bool api_server_answered_ = false;  // that error came from the API server
  runtime::StepCounters tally_;
  kube::Events events_;
  SlurmContact contact_;
  TokenWatch token_;
  std::vector<std::unique_ptr<kube::Election>> elections_;
  std::optional<base::Error> lost_;  // why the lead was lost
  bool stop_asked_ = false;
  net::Signal over_;  // lost_ or stop_asked_ was set
  std::unique_ptr<Parts> parts_;
  net::TaskGroup tasks_;     // of the roles
  net::TaskGroup renewals_;  // of the Leases; they end last
};

}  // namespace bridge::process
