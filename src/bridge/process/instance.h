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

// Several processes, one of which acts. A Lease is a hint and no fence: what keeps two at once from
// doing harm is that every write is conditional.
struct Leadership {
  std::vector<kube::ObjectKey> leases;  // all of them are held while acting, taken in this order
  std::string name;                     // of this process, for people; made unique by ourselves
  kube::ElectionTimes times{};
};

struct InstanceOptions {
  Role role = Role::all;
  std::string host;  // where it runs, for people: the sender of Events
  std::string scheduler_name;
  config::LiveSettings live;  // at the start; see Instance::apply()
  slurm::MirrorOptions mirror;
  std::optional<Leadership> leadership;  // empty: it is alone and acts
  // The Lease by which roles that run apart agree on the cluster's id (cluster_id.h).
  kube::ObjectKey cluster_id_lease{"default", kClusterNote};
  // How many pods and nodes the controllers work on at once: as many requests are in flight.
  std::size_t pod_workers = 32;
  std::size_t node_workers = 32;
};

// The two systems. All of it outlives the instance.
struct Clients {
  kube::Client& kube;
  kube::Client& leases;  // the same server, by a connection that nothing else can use up
  slurm::Client& slurm;
  slurm::Client& polls;  // the same slurmrestd, by connections that nothing else can use up
};

// How far the caches of an instance are, in numbers that only matter to who looks at it.
struct Numbers {
  // One collection of the API server that is followed.
  struct Feed {
    std::string_view resource;
    std::size_t objects = 0;
    std::uint64_t lists = 0;
    std::uint64_t watches = 0;
    std::uint64_t gone = 0;  // the server had forgotten where we were
  };
  std::vector<Feed> feeds;
  std::size_t jobs_followed = 0;
  // Running pods whose job Slurm does not know, without proof that it ended.
  std::size_t pods_in_doubt = 0;
  std::size_t slurm_nodes = 0;
  std::size_t not_responding = 0;  // of them: Slurm has lost sight of these
};

// One running bridge: the chosen roles on one cluster state of both systems. The daemon runs one, the
// simulation many.
//
// Expects     that loop and clients outlive it; run() as a task of a group that ends before it.
// Guarantees  acts through the clients only; keeps nothing that the next instance would need; does
//             not act before it leads, and after it lost the lead only to take back what it made
//             itself and nobody needs.
class Instance {
 public:
  Instance(net::Loop& loop, Clients clients, base::Log log, InstanceOptions options);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  // Learns who it is, waits until it leads, then works. Ends in good order after stop(), with an
  // error when another process leads, and at once when its task is cancelled; every task of its own
  // has ended then.
  net::Task<base::Result<void>> run();
  void stop();
  // What is decided from now on follows these; what was done stays.
  void apply(config::LiveSettings live);

  bool leading() const;

  // Whether its roles are ready, or what they still need.
  //
  // Scheduler and controllers are ready when the API server was reached and the pods and nodes have
  // been listed once and can be followed (ListWatchHealth::problem); a process that waits for the
  // lead is ready as a candidate, unless it can never get its Lease. Slurm plays no part here: see
  // polled().
  base::Result<void> ready() const;
  // Whether the latest complete poll of Slurm's jobs is recent, or why there is none. A short
  // absence of Slurm is no error: roles wait and go on by themselves.
  base::Result<void> polled() const;
  const SlurmContact& slurm() const { return contact_; }
  const slurm::TokenCheck& token() const { return token_.latest(); }
  const runtime::StepCounters& steps() const { return tally_; }
  const kube::Events& events() const { return events_; }
  Numbers numbers() const;

 private:
  // What it waits for.
  enum class Phase { lead, kubernetes, slurm, nothing };

  // What exists once both systems have been reached.
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
  base::Instant polls_since_{};       // when Slurm was first asked anything
  std::string in_the_way_;            // of learning the cluster's id
  bool api_server_answered_ = false;  // the API server says itself what is in the way
  runtime::StepCounters tally_;
  kube::Events events_;
  SlurmContact contact_;
  TokenWatch token_;
  std::vector<std::unique_ptr<kube::Election>> elections_;
  std::optional<base::Error> lost_;  // why we no longer lead
  bool stop_asked_ = false;
  net::Signal over_;  // lost_ or stop_asked_ was set
  std::unique_ptr<Parts> parts_;
  net::TaskGroup tasks_;     // of the roles
  net::TaskGroup renewals_;  // of the leases: the last to end
};

}  // namespace bridge::process
