// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace models::slurm {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;

TEST(SlurmSchedule, HigherPriorityGoesFirstAndEqualOnesInTheOrderOfTheirIds) {
  Cluster cluster;
  std::vector<std::uint32_t> started;
  cluster.slurm.on_change([&](const JobChange& change) {
    if (change.what == "started") started.push_back(change.job->id);
  });
  cluster.submit(R"({"priority":10})");
  cluster.submit(R"({"priority":10})");
  cluster.submit(R"({"priority":20})");
  cluster.settle();
  EXPECT_EQ(started, (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(SlurmSchedule, AShortJobStartsBeforeTheFirstPendingJobAndALongOneDoesNot) {
  Cluster cluster;
  cluster.submit(R"({"cpus_per_task":32,"time_limit":60,"required_nodes":["k001"]})");
  cluster.settle();
  const auto wide = cluster.id_of(
      R"({"minimum_nodes":4,"maximum_nodes":4,"tasks":4,"cpus_per_task":32,"time_limit":5})");
  const auto brief = cluster.id_of(R"({"time_limit":59})");
  const auto lengthy = cluster.id_of(R"({"time_limit":61})");
  const auto unlimited = cluster.id_of("{}");
  cluster.settle();
  EXPECT_EQ(cluster.job(wide).reason, "Resources");
  EXPECT_EQ(cluster.job(brief).state, "RUNNING");
  EXPECT_EQ(cluster.job(lengthy).reason, "Priority");
  EXPECT_EQ(cluster.job(unlimited).reason, "Priority");
}

TEST(SlurmSchedule, WhatTheFirstThatWaitsCannotUseIsFreeForOthers) {
  Cluster cluster;
  cluster.submit(R"({"cpus_per_task":32,"required_nodes":["k001"]})");
  cluster.settle();
  const auto waits = cluster.id_of(R"({"required_nodes":["k001"],"cpus_per_task":32})");
  const auto other = cluster.id_of("{}");
  cluster.settle();
  EXPECT_EQ(cluster.job(waits).reason, "Resources");
  EXPECT_EQ(cluster.job(other).state, "RUNNING");
}

TEST(SlurmSchedule, AJobBehindACancelledOrHeldJobMovesUp) {
  Cluster cluster;
  cluster.submit(R"({"minimum_nodes":4,"maximum_nodes":4,"tasks":4,"cpus_per_task":32})");
  cluster.settle();
  const auto first = cluster.id_of(R"({"cpus_per_task":32})");
  const auto second = cluster.id_of(R"({"cpus_per_task":32})");
  const auto third = cluster.id_of(R"({"cpus_per_task":32})");
  cluster.settle();
  EXPECT_EQ(cluster.job(first).reason, "Resources");
  EXPECT_EQ(cluster.job(second).reason, "Priority");
  cluster.slurm.end(first, "CANCELLED", "None");
  cluster.settle();
  EXPECT_EQ(cluster.job(second).reason, "Resources");
  cluster.slurm.hold(second, true);
  cluster.settle();
  EXPECT_EQ(cluster.job(third).reason, "Resources");
}

TEST(SlurmSchedule, AJobThatWaitsForADrainedNodeDelaysNoOther) {
  Cluster cluster;
  cluster.slurm.drain("k001", "why");
  cluster.submit(R"({"required_nodes":["k001"],"priority":99999})");
  const auto other = cluster.id_of("{}");
  cluster.settle();
  EXPECT_EQ(cluster.job(other).state, "RUNNING");
}

TEST(SlurmSchedule, TasksAreSpreadOverAsManyNodesAsAreAllowed) {
  Cluster cluster;
  const auto id =
      cluster.id_of(R"({"tasks":4,"cpus_per_task":12,"minimum_nodes":1,"maximum_nodes":4})");
  cluster.settle();
  EXPECT_EQ(cluster.job(id).nodes.size(), 4U);
}

TEST(SlurmSchedule, AJobThatIsNotExternalStaysOffExternalNodes) {
  Cluster cluster;
  SlurmJob job;
  job.memory_mb = 1;
  const auto id = cluster.slurm.submit(job);
  job.external = true;
  const auto external = cluster.slurm.submit(job);
  cluster.settle();
  EXPECT_EQ(cluster.job(id).state, "PENDING");
  EXPECT_EQ(cluster.job(external).state, "RUNNING");
}

// The allocated resources of each node, computed from the jobs alone.
struct Taken {
  std::uint64_t cpus = 0;
  std::uint64_t memory_mb = 0;
  std::map<std::string, std::uint32_t> gres;
  std::set<std::uint32_t> cores;
  bool shared_core = false;
};

using Holds = std::function<bool(const SlurmJob&)>;
bool on_nodes(const SlurmJob& job) {
  return job.on_nodes();
}

std::map<std::string, Taken> taken(const SlurmCluster& slurm, const Holds& holds = on_nodes) {
  std::map<std::string, Taken> nodes;
  for (const auto& [id, job] : slurm.jobs()) {
    if (!holds(job)) continue;
    RC_ASSERT(job.allocation.size() == job.nodes.size());
    for (const SlurmAllocation& held : job.allocation) {
      Taken& node = nodes[held.node];
      node.cpus += held.cores.size();
      node.memory_mb += held.memory_mb;
      for (const auto& [name, count] : held.gres) node.gres[name] += count;
      for (const std::uint32_t core : held.cores) {
        node.shared_core |= !node.cores.insert(core).second;
      }
    }
  }
  return nodes;
}

void nothing_is_given_twice(const SlurmCluster& slurm) {
  for (const auto& [name, use] : taken(slurm)) {
    const SlurmNode& node = slurm.nodes().at(name);
    RC_ASSERT(use.cpus <= node.cpus);
    RC_ASSERT(use.memory_mb <= node.memory_mb);
    RC_ASSERT(!use.shared_core);
    for (const auto& [gres, count] : use.gres) RC_ASSERT(count <= node.gres.at(gres));
  }
}

// For jobs without special requests: the number of nodes with room for it, computed from the jobs
// alone.
std::size_t nodes_with_room(const SlurmCluster& slurm,
                            const SlurmJob& job,
                            const Holds& holds = on_nodes) {
  const auto used = taken(slurm, holds);
  std::size_t count = 0;
  for (const auto& [name, node] : slurm.nodes()) {
    const auto found = used.find(name);
    const Taken use = found == used.end() ? Taken() : found->second;
    const std::uint64_t memory = job.memory_mb > 0 ? job.memory_mb : node.memory_mb;
    if (!node.takes_jobs()) continue;
    if (use.cpus + job.cpus <= node.cpus && use.memory_mb + memory <= node.memory_mb) ++count;
  }
  return count;
}

SlurmJob any_job() {
  SlurmJob job;
  job.external = true;
  job.cpus = *rc::gen::inRange(1U, 9U);
  job.memory_mb = static_cast<std::uint64_t>(*rc::gen::inRange(0, 16384));
  job.node_count = *rc::gen::weightedElement<std::uint32_t>({{5, 1}, {2, 2}, {1, 3}});
  job.priority = *rc::gen::inRange(1, 5);
  if (*rc::gen::arbitrary<bool>()) job.limit_minutes = *rc::gen::inRange(1U, 20U);
  if (*rc::gen::inRange(0, 4) == 0) job.gres["gpu"] = *rc::gen::inRange(1U, 3U);
  return job;
}

SlurmOptions any_nodes() {
  SlurmOptions options;
  const int count = *rc::gen::inRange(3, 6);
  for (int i = 0; i < count; ++i) {
    SlurmNode node;
    node.name = fmt::format("n{}", i);
    node.gres = {{"gpu:a100", 2}, {"gpu:h100", 1}};
    node.dynamic = *rc::gen::arbitrary<bool>();
    options.nodes.push_back(node);
  }
  return options;
}

RC_GTEST_PROP(SlurmScheduleProperty, NothingIsGivenTwiceAndInTheEndEverythingRan, ()) {
  Cluster cluster(any_nodes());
  const int steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::inRange(0, 10);
    const std::string node = fmt::format("n{}", *rc::gen::inRange(0, 3));
    const auto id = static_cast<std::uint32_t>(*rc::gen::inRange(1, i + 2));
    if (what < 6) cluster.slurm.submit(any_job());
    if (what == 6) cluster.slurm.end(id, "CANCELLED", "");
    if (what == 7) cluster.slurm.drain(node, "x");
    if (what == 8) cluster.slurm.resume_node(node);
    if (what == 9) cluster.slurm.fail_node(node, "x");
    cluster.advance(std::chrono::milliseconds(*rc::gen::inRange(0, 100'000)));
    nothing_is_given_twice(cluster.slurm);
  }
  for (const auto& [name, node] : cluster.slurm.nodes()) cluster.slurm.resume_node(name);
  // Jobs without a limit are ended by hand once nothing else changes.
  for (int i = 0; i < 200; ++i) {
    cluster.advance(1h);
    for (const auto& [id, job] : cluster.slurm.jobs()) {
      if (job.on_nodes()) {
        cluster.slurm.end(id, "CANCELLED", "");
        break;
      }
    }
  }
  for (const auto& [id, job] : cluster.slurm.jobs()) RC_ASSERT(!job.live());
}

// When a job ends if it uses all of its time. Slurm counts an unlimited job as one of a year.
base::Instant latest_end(const SlurmJob& job) {
  const base::Duration limit =
      job.limit_minutes ? base::Duration(*job.limit_minutes * 1min) : base::Duration(365 * 24h);
  return job.started_at + limit;
}

// When a pending job can start at the latest if nothing else starts: the first moment with enough
// room, counted from the running jobs that satisfy `counts`.
base::Instant latest_start(const Cluster& cluster, const SlurmJob& pending, const Holds& counts) {
  const base::Instant now = cluster.clock.now();
  std::set<base::Instant> moments{now};
  for (const auto& [id, job] : cluster.slurm.jobs()) {
    if (job.on_nodes() && counts(job)) moments.insert(std::max(now, latest_end(job)));
  }
  for (const base::Instant moment : moments) {
    const auto still_runs = [&](const SlurmJob& job) {
      return job.on_nodes() && counts(job) && (latest_end(job) > moment || moment == now);
    };
    if (nodes_with_room(cluster.slurm, pending, still_runs) >= pending.node_count) return moment;
  }
  return base::kNever;
}

// The pending job with the highest priority, the oldest of several.
const SlurmJob* first_pending(const SlurmCluster& slurm) {
  const SlurmJob* first = nullptr;
  for (const auto& [id, job] : slurm.jobs()) {
    if (job.pending() && (first == nullptr || job.priority > first->priority)) first = &job;
  }
  return first;
}

bool goes_before(const SlurmJob& one, const SlurmJob& other) {
  return one.priority != other.priority ? one.priority > other.priority : one.id < other.id;
}

// A job behind the first pending one may start on nodes that the first one cannot use now, if it
// ends before the first one can start: the start of the first one is the same with and without it.
RC_GTEST_PROP(SlurmScheduleProperty,
              TheFirstPendingJobHasNoRoomAndIsNotDelayedByTheJobsBehindIt,
              ()) {
  Cluster cluster(any_nodes());
  base::Instant last_end;
  cluster.slurm.on_change([&](const JobChange& change) {
    if (change.what == "ended") last_end = cluster.clock.now();
    if (change.what != "started") return;
    const SlurmJob* first = first_pending(cluster.slurm);
    if (first == nullptr || !goes_before(*first, *change.job)) return;
    const std::uint32_t started = change.job->id;
    const auto others = [&](const SlurmJob& job) { return job.id != started; };
    const base::Instant undisturbed = latest_start(cluster, *first, others);
    RC_ASSERT(undisturbed > cluster.clock.now());
    RC_ASSERT(latest_start(cluster, *first, on_nodes) == undisturbed);
  });
  const bool limited = *rc::gen::arbitrary<bool>();
  const int count = *rc::gen::inRange(1, 30);
  for (int i = 0; i < count; ++i) {
    SlurmJob job = any_job();
    job.gres.clear();
    if (!limited) job.limit_minutes.reset();
    cluster.slurm.submit(job);
    if (*rc::gen::inRange(0, 3) == 0) cluster.settle();
    if (*rc::gen::inRange(0, 3) == 0)
      cluster.advance(std::chrono::seconds(*rc::gen::inRange(0, 300)));
  }
  cluster.settle();
  // The room of a job that has just ended is given away by the next pass.
  while (cluster.clock.now() < last_end + 500ms) cluster.settle();
  const SlurmJob* first = first_pending(cluster.slurm);
  if (first == nullptr) return;
  RC_ASSERT(nodes_with_room(cluster.slurm, *first) < first->node_count);
}

}  // namespace
}  // namespace models::slurm
