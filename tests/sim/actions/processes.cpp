// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {
namespace {

using namespace std::chrono_literals;

Process& any_process(World& world, std::uint64_t number) {
  return *world.processes()[number % world.processes().size()];
}

std::string kill(World& world, const Draw& draw) {
  Process& process = any_process(world, draw[0]);
  if (!process.runs()) return "";
  world.kill(process, std::chrono::milliseconds(100 + draw[1] % 20000));
  return fmt::format("{} is killed", process.name());
}

// Covers a crash at any await: between two requests a process has no effect outside.
std::string crash(World& world, const Draw& draw) {
  Process& process = any_process(world, draw[0]);
  const auto point =
      draw[1] % 2 == 0 ? World::CrashPoint::before_sending : World::CrashPoint::after_the_effect;
  world.crash_at_request(process.name(), draw[2] % 20, point);
  return fmt::format("{} will crash {} one of its next requests",
                     process.name(),
                     draw[1] % 2 == 0 ? "before" : "after");
}

std::string pause(World& world, const Draw& draw) {
  Process& process = any_process(world, draw[0]);
  if (!process.runs() || process.paused()) return "";
  process.pause();
  const auto time = std::chrono::milliseconds(500 + draw[1] % 60000);
  world.later(time, [&world, &process] {
    if (!process.paused()) return;
    world.timeline().add(process.name(), "continues");
    world.trouble();
    process.go_on();
  });
  return fmt::format("{} is stopped for {}", process.name(), time);
}

// Longer than Slurm keeps ended jobs (MinJobAge).
std::string leave(World& world, const Draw& draw) {
  const auto time = std::chrono::seconds(360 + draw[0] % 30);
  for (const auto& process : world.processes()) world.kill(*process, time);
  return fmt::format("no process runs for {}", time);
}

std::string jump(World& world, const Draw& draw) {
  Process& process = any_process(world, draw[0]);
  const auto by = std::chrono::seconds(static_cast<std::int64_t>(draw[1] % 7200) - 3600);
  process.clock().jump(by);
  return fmt::format("the calendar of {} jumps by {}", process.name(), by);
}

}  // namespace

std::vector<Action> process_actions() {
  return {{"kill a process", 10, true, kill},
          {"crash at a request", 24, true, crash},
          {"stop a process", 8, true, pause},
          {"no process runs for six minutes", 2, true, leave},
          {"the calendar jumps", 3, true, jump}};
}

}  // namespace sim
