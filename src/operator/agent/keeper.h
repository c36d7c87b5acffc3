// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "net/async/loop.h"
#include "operator/agent/config_folder.h"
#include "operator/agent/configuration.h"
#include "operator/agent/decision.h"
#include "operator/agent/report.h"
#include "operator/agent/slurm.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace slurmop::agent {

struct KeeperFolders {
  std::string candidate;  // the mounted ConfigMap
  std::string active;     // what slurmctld reads
  std::string saved;      // on the volume of slurmctld: survives the pod
};

// How often the agent looks, and how long it waits for slurmctld after a reconfiguration.
struct KeeperTiming {
  base::Duration poll = std::chrono::seconds(1);
  base::Duration until_ready = std::chrono::seconds(30);
  base::Duration save_again = std::chrono::minutes(1);
  // Answers in a row, one per `poll`, that prove that slurmctld runs or has ended. A container that
  // ends once is started again at once.
  std::uint32_t ready_answers = 3;
  std::uint32_t gone_answers = 15;
};

// Keeps the active configuration equal to the newest valid candidate.
//
// Guarantees  a configuration becomes active only after Slurm::check accepted it, in this process or
//             in an earlier one that saved it. After the first one there is always an active one.
//             If the running slurmctld ends with a new configuration, the previous one is active
//             again, and the new one is not tried again until another candidate was seen.
//             A configuration is saved when slurmctld runs with it, or when it is the first one.
// Does not    start or stop slurmctld: the kubelet does.
class ConfigKeeper {
 public:
  ConfigKeeper(net::Loop& loop, base::Log log, Slurm& slurm, KeeperFolders folders);
  ConfigKeeper(const ConfigKeeper&) = delete;
  ConfigKeeper& operator=(const ConfigKeeper&) = delete;

  void set_timing(KeeperTiming timing) { timing_ = timing; }

  // Runs until it is cancelled.
  net::Task<void> run();

  Report report() const;
  // Why slurmctld must not start yet; empty if there is an active configuration.
  std::string missing() const;

 private:
  // The reaction of the running slurmctld to new files.
  enum class Effect { in_use, gone, not_ready };

  void start();
  void use_saved(const Configuration& saved, const std::optional<Configuration>& active);
  void read_rejected();
  net::Task<void> step();
  void read_candidate();
  bool candidate_is(const std::string& id) const;
  net::Task<void> check_candidate();
  void activate(const Configuration& configuration);
  void remember(const Configuration& configuration, Attempt::End end, std::string message);
  net::Task<void> reconfigure();
  net::Task<Effect> effect();
  void reconfigure_later(std::string why);
  void restore(std::string why);
  void accept();
  void save();
  std::string active_id() const { return active_ ? content_id(*active_) : std::string(); }

  net::Loop& loop_;
  base::Log log_;
  Slurm& slurm_;
  KeeperFolders folders_;
  KeeperTiming timing_;
  ConfigFolder active_folder_;
  ConfigFolder saved_folder_;

  std::optional<Configuration> candidate_;
  std::string candidate_error_;  // the folder cannot be read
  std::optional<Configuration> active_;
  std::optional<Configuration> good_;  // slurmctld ran with it, or it is the first one
  std::optional<Attempt> attempt_;
  std::optional<base::WallTime> checked_at_;

  // Whether slurmctld may run with older files than active_, and when it is told.
  bool reconfigure_due_ = false;
  base::Instant reconfigure_at_ = {};
  std::uint32_t reconfigure_failures_ = 0;
  std::string reconfigure_error_;

  bool save_due_ = false;
  base::Instant save_at_ = {};
};

}  // namespace slurmop::agent
