// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "bridge/process/instance.h"
#include "network.h"

#include <memory>
#include <string>

namespace sim {

// What a process sees of the time: the world's, with a calendar that may be wrong.
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

// One bridge process: the real instance, on its own loop, with nothing but links to the world.
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
  // As kill -9: nothing that it still wanted to do happens. What it sent is on its way.
  void kill();
  bool runs() const { return life_ != nullptr; }
  // From now on nothing of it has any effect; kill() follows at the same instant.
  void sever();

  // Its configuration changed while it runs.
  void apply(bridge::config::LiveSettings live);

  // SIGSTOP and SIGCONT.
  void pause() { paused_ = true; }
  void go_on() { paused_ = false; }
  bool paused() const { return paused_; }

  // Runs what it can at this instant. False if that was nothing.
  bool run_ready();
  // When it wants to run again.
  base::Instant next() const;
  // It ended by itself.
  bool exited() const;

 private:
  struct Life;

  Network& network_;
  Timeline& timeline_;
  Setup setup_;
  ProcessClock clock_;
  std::unique_ptr<Life> life_;
  bool paused_ = false;
  bool stirred_ = false;  // something came in from outside since it last ran
};

}  // namespace sim
