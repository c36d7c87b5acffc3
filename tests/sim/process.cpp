// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include "kube/auth/credentials.h"
#include "net/async/task_group.h"
#include "slurm/client/token.h"

#include <algorithm>

namespace sim {

struct Process::Life {
  Life(Process& process, std::uint64_t seed)
      : loop(process.clock_, seed),
        kube_link(loop, process.network_, process.name(), System::kube, process.stirred_),
        slurm_link(loop, process.network_, process.name(), System::slurm, process.stirred_),
        token(slurm::TokenSource::fixed(base::Secret("token"))),
        kube(kube_link, credentials),
        slurm(loop, slurm_link, token),
        instance(loop, {kube, kube, slurm, slurm}, log(process), process.setup_.options),
        root(loop) {
    root.spawn("instance", [this]() -> net::Task<void> { (void)co_await instance.run(); });
  }

  static base::Log log(Process& process) {
    if (!process.timeline_.on()) return {};
    const auto sink = [&process](std::string_view line) {
      if (line.ends_with('\n')) line.remove_suffix(1);
      line.remove_prefix(std::min(line.size(), line.find(' ') + 1));  // the log's time stamp
      process.timeline_.add(process.name(), line);
    };
    return {sink, process.clock_, base::LogFormat::human, base::LogLevel::info};
  }

  net::Loop loop;
  Link kube_link;
  Link slurm_link;
  kube::Credentials credentials;
  slurm::TokenSource token;
  kube::Client kube;
  slurm::Client slurm;
  bridge::process::Instance instance;
  net::TaskGroup root;
};

Process::Process(const base::Clock& world, Network& network, Timeline& timeline, Setup setup)
    : network_(network), timeline_(timeline), setup_(std::move(setup)), clock_(world) {}

Process::~Process() {
  kill();
}

void Process::start(std::uint64_t seed) {
  life_ = std::make_unique<Life>(*this, seed);
  paused_ = false;
  stirred_ = true;
}

void Process::apply(bridge::config::LiveSettings live) {
  life_->instance.apply(live);
  setup_.options.live = std::move(live);
  stirred_ = true;
}

void Process::sever() {
  life_->kube_link.sever();
  life_->slurm_link.sever();
}

void Process::kill() {
  if (!life_) return;
  sever();
  life_->root.cancel();
  while (life_->loop.run_ready()) {
  }
  life_.reset();  // aborts with the names of tasks that do not end when cancelled
  paused_ = false;
}

bool Process::run_ready() {
  // Running a loop without ready tasks costs system calls.
  if (!life_ || paused_ || (!stirred_ && next() > clock_.now())) return false;
  stirred_ = false;
  return life_->loop.run_ready();
}

base::Instant Process::next() const {
  if (!life_ || paused_) return base::kNever;
  return life_->loop.timers().next().value_or(base::kNever);
}

bool Process::exited() const {
  return life_ && life_->root.empty();
}

}  // namespace sim
