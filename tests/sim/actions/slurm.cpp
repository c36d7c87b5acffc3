// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {
namespace {

using namespace std::chrono_literals;

// One of the live jobs.
std::optional<std::uint32_t> any_live_job(World& world, std::uint64_t number) {
  std::vector<std::uint32_t> live;
  for (const auto& [id, job] : world.slurm().jobs()) {
    if (job.live()) live.push_back(id);
  }
  if (live.empty()) return std::nullopt;
  return live[number % live.size()];
}

Action ends(std::string_view name, unsigned weight, std::string state, std::string reason) {
  return {name, weight, false, [state, reason](World& world, const Draw& draw) -> std::string {
            const auto job = any_live_job(world, draw[0]);
            if (!job) return "";
            const bool waits = world.slurm().find(*job)->state == "PENDING";
            if (waits && state != "CANCELLED") return "";
            world.slurm().end(*job, state, reason);
            return fmt::format("job {} ends: {}", *job, state);
          }};
}

// As by a job of higher priority: at once, or after the grace time of the job's QOS.
std::string preempt(World& world, const Draw& draw) {
  const auto job = any_live_job(world, draw[0]);
  if (!job || world.slurm().find(*job)->state != "RUNNING") return "";
  world.slurm().preempt(*job);
  return fmt::format("job {} is preempted", *job);
}

// MaxJobCount is reached for a while; submits are refused until then.
std::string fill_queue(World& world, const Draw& draw) {
  world.slurm().set_max_jobs(world.slurm().jobs().size());
  world.later(std::chrono::seconds(1 + draw[0] % 30),
              [&world] { world.slurm().set_max_jobs(models::slurm::SlurmOptions().max_jobs); });
  return "Slurm takes no more jobs for a while";
}

std::string suspend(World& world, const Draw& draw) {
  const auto job = any_live_job(world, draw[0]);
  if (!job || world.slurm().find(*job)->state != "RUNNING") return "";
  world.slurm().suspend(*job);
  world.later(std::chrono::seconds(1 + draw[1] % 20), [&world, id = *job] {
    if (const auto* found = world.slurm().find(id); found && found->state == "SUSPENDED")
      world.slurm().resume_job(id);
  });
  return fmt::format("suspends job {} for a while", *job);
}

std::string hold(World& world, const Draw& draw) {
  const auto job = any_live_job(world, draw[0]);
  if (!job || world.slurm().find(*job)->state != "PENDING") return "";
  world.slurm().hold(*job, true);
  world.later(std::chrono::seconds(1 + draw[1] % 20), [&world, id = *job] {
    if (world.slurm().find(id) != nullptr) world.slurm().hold(id, false);
  });
  return fmt::format("holds job {} for a while", *job);
}

// Foreign jobs, with values of admin_comment that could be mistaken for an identity.
std::string submit_foreign(World& world, const Draw& draw) {
  static constexpr std::string_view kComments[] = {
      "",
      "{}",
      "null",
      R"({"pods":[]})",
      R"({"pods":["work/refused-0"]})",
      R"({"pods":["work/p-1"],"cluster":"another","scheduler":"slurm-bridge-scheduler",)"
      R"("workload":"u","uids":["u"]})",
      "\xff\xfe not json"};
  models::slurm::SlurmJob job;
  job.name = "foreign";
  job.partition = "slurm-bridge";
  job.user = "alice";
  job.external = true;
  job.cpus = static_cast<std::uint32_t>(1 + draw[0] % 8);
  job.memory_mb = 100;
  job.admin_comment = kComments[draw[1] % std::size(kComments)];
  const std::uint32_t id = world.slurm().submit(std::move(job));
  world.later(std::chrono::seconds(1 + draw[2] % 30), [&world, id] {
    if (const auto* found = world.slurm().find(id); found && found->name == "foreign")
      world.slurm().end(id, "COMPLETED", "None");
  });
  return fmt::format("a user submits foreign job {}", id);
}

std::string restart(World& world, const Draw&) {
  world.network().slurm_died();
  world.slurm().restart();
  return "slurmctld restarts";
}

std::string crash(World& world, const Draw& draw) {
  const auto lost = std::chrono::milliseconds(draw[0] % 4000);
  world.network().slurm_died();
  world.return_slurm_to(world.now() - lost);
  return fmt::format("slurmctld crashes and forgets the last {}", lost);
}

// As after a restored disk or a start with the wrong state directory. The state is at most about a
// minute old, because histories are short; only the number of lost jobs matters.
std::string old_state(World& world, const Draw& draw) {
  const auto lost = std::chrono::seconds(3 + draw[0] % 60);
  world.network().slurm_died();
  world.return_slurm_to(world.now() - lost);
  return fmt::format("slurmctld comes back with a state of {} ago", lost);
}

std::string lose_state(World& world, const Draw&) {
  world.network().slurm_died();
  world.lose_slurm_state();
  return "slurmctld starts with an empty state directory: it knows no job";
}

// A backup slurmctld takes over with an old copy of the state; later the primary returns with its
// own state.
std::string fail_over(World& world, const Draw& draw) {
  if (world.failed_over()) return "";
  const auto lost = std::chrono::seconds(3 + draw[0] % 60);
  const auto lasts = std::chrono::seconds(2 + draw[1] % 90);
  world.network().slurm_died();
  world.fail_over(world.now() - lost);
  world.trouble(lasts);
  world.later(lasts, [&world] {
    world.network().slurm_died();
    world.fail_back();
    world.trouble();
  });
  return fmt::format("a backup slurmctld takes over with a state of {} ago, for {}", lost, lasts);
}

}  // namespace

std::vector<Action> slurm_actions() {
  return {ends("scancel", 14, "CANCELLED", "None"),
          ends("a job fails", 4, "FAILED", "NonZeroExitCode"),
          {"preempt a job", 6, false, preempt},
          ends("a job runs out of time", 4, "TIMEOUT", "TimeLimit"),
          {"suspend a job", 4, false, suspend},
          {"hold a job", 6, false, hold},
          {"submit a foreign job", 14, false, submit_foreign},
          {"Slurm is full", 3, true, fill_queue},
          {"slurmctld restarts", 5, true, restart},
          {"slurmctld crashes", 5, true, crash},
          {"slurmctld loses its state", 2, true, lose_state},
          {"slurmctld comes back with an old state", 2, true, old_state},
          {"a backup slurmctld has an old state for a while", 2, true, fail_over}};
}

}  // namespace sim
