// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/process/instance.h"
#include "network.h"

#include <memory>
#include <string>

namespace sim {

// The clock of a process: the world's time, with a wall clock that may be wrong.
class ProcessClock final : public base::Clock {
 public:
  explicit ProcessClock(const base::Clock& world) : world_(world) {}
  base::Instant now() const override { return world_.now(); }
  base::WallTime wall() const override { return world_.wall() + off_; }
  void jump(base::Duration by) { off_ += std::chrono::duration_cast<base::WallTime::duration>(by); }

 private:
  const base::Clock& world_;
  base::WallTime::duration off_{};
};

// One bridge process: the real Instance on its own loop, connected to the world only by links.
class Process {
 public:
  struct Setup {
    std::string name;
    bridge::process::InstanceOptions options;
  };

  Process(const base::Clock& world, Network& network, Timeline& timeline, Setup setup);
  ~Process();

  const std::string& name() const { return setup_.name; }
  ProcessClock& clock() { return clock_; }

  void start(std::uint64_t seed);
  // As kill -9: the process does nothing more. Requests that it sent may still arrive.
  void kill();
  bool runs() const { return life_ != nullptr; }
  // From now on the process has no effect; kill() follows at the same instant.
  void sever();

  // Changes the settings of the running process.
  void apply(bridge::config::LiveSettings live);

  // SIGSTOP and SIGCONT.
  void pause() { paused_ = true; }
  void go_on() { paused_ = false; }
  bool paused() const { return paused_; }

  // Runs the tasks that are ready at this instant. Returns false if there were none.
  bool run_ready();
  // When the process has to run again.
  base::Instant next() const;
  // Whether the process ended by itself.
  bool exited() const;

 private:
  struct Life;

  Network& network_;
  Timeline& timeline_;
  Setup setup_;
  ProcessClock clock_;
  std::unique_ptr<Life> life_;
  bool paused_ = false;
  bool stirred_ = false;  // an answer or event arrived since it last ran
};

}  // namespace sim
