// SPDX-License-Identifier: Apache-2.0
// The load driver of the benchmarks: many pods from one process, fast enough not to limit the
// result. Knows a scheduler only by its name. Writes one JSON object to stdout: the duration in
// seconds, and for each pod the times of its stages in seconds since 1970.
#include "base/flags.h"
#include "driver.h"
#include "kube/auth/kubeconfig.h"

#include <fmt/format.h>

#include <cstdio>

namespace {

json::Value seconds(const std::optional<base::WallTime>& time) {
  if (!time) return nullptr;
  return std::chrono::duration<double>(time->time_since_epoch()).count();
}

void report(const load::Driver& driver) {
  json::Object pods;
  for (const auto& [name, times] : driver.timeline().pods()) {
    pods.set(name,
             json::Object{{"sent", seconds(times.sent)},
                          {"created", seconds(times.created)},
                          {"labelled", seconds(times.labelled)},
                          {"explained", seconds(times.explained)},
                          {"bound", seconds(times.bound)},
                          {"job", times.job}});
  }
  const json::Object all{{"seconds", std::chrono::duration<double>(driver.took()).count()},
                         {"pods", std::move(pods)}};
  fmt::print("{}\n", json::Value(all).dump());
}

int fail(const base::Error& error) {
  fmt::print(stderr, "load: {}\n", error.to_string());
  return 1;
}

base::Result<load::Plan> read_plan(int argc, char** argv) {
  load::Plan plan;
  std::string verb;
  std::string until = "bound";
  base::Flags flags("load", "Creates many pods and sees what becomes of them.");
  flags.argument("verb", &verb, "bare, create or clear");
  flags.add("kubeconfig", &plan.kubeconfig, "how to reach the API server");
  flags.add("namespace", &plan.ns, "where the pods are made");
  flags.add("prefix", &plan.prefix, "how their names begin");
  flags.add("scheduler", &plan.scheduler, "their schedulerName");
  flags.add("annotation", &plan.annotations, "key=value for each pod");
  flags.add("job-label", &plan.job_label, "where the scheduler writes the id of a pod's job");
  flags.add("pods", &plan.pods, "how many");
  flags.add("connections", &plan.connections, "how many requests at a time");
  flags.add("per-second", &plan.per_second, "at most so many; 0: as fast as it goes");
  flags.add("nodes", &plan.nodes, "bare, placed: on k001 up to this one");
  flags.add("placed", &plan.placed, "create: with a node from the start");
  flags.add("until", &until, "created, labelled, explained or bound");
  flags.add("within", &plan.within, "give up after");
  TRY(const base::Flags::Outcome outcome, flags.parse(argc, argv));
  if (outcome.help_asked) return base::Error(base::Kind::invalid, flags.help());
  TRY(plan.verb, load::verb_named(verb));
  TRY(plan.until, load::until_named(until));
  if (plan.pods < 1 || plan.connections < 1 || plan.nodes < 1 || plan.per_second < 0)
    return base::Error(base::Kind::invalid, "pods, connections and nodes begin at 1");
  return plan;
}

}  // namespace

int main(int argc, char** argv) {
  const auto plan = read_plan(argc, argv);
  if (!plan.ok()) return fail(plan.error());
  const auto config = kube::load_kubeconfig(plan->kubeconfig);
  if (!config.ok()) return fail(config.error());

  base::RealClock clock;
  net::Loop loop(clock);
  const base::Log log(
      [](std::string_view line) { (void)std::fwrite(line.data(), 1, line.size(), stderr); },
      clock,
      base::LogFormat::human,
      base::LogLevel::warn);
  load::Driver driver(loop, *plan, *config, log);
  if (const auto ready = driver.prepare(); !ready.ok()) return fail(ready.error());

  std::optional<base::Error> failure;
  net::TaskGroup root(loop);
  root.spawn("run", [&]() -> net::Task<void> {
    const auto outcome = co_await driver.run();
    if (!outcome.ok()) failure = outcome.error();
  });
  loop.run();
  if (plan->verb != load::Verb::clear || failure) report(driver);
  return failure ? fail(*failure) : 0;
}
