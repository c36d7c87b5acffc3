// SPDX-License-Identifier: Apache-2.0
#include "bridge/state/cluster_state.h"

#include "base/rfc3339.h"
#include "bridge/marks/job_claim.h"
#include "bridge/marks/named_job.h"
#include "bridge/state/node_availability.h"
#include "bridge/state/reused_job_id.h"
#include "bridge/state/state_loss_detector.h"
#include "bridge/testing/scheduling.h"
#include "slurm/testing/fake_slurm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace bridge::state {
namespace {

using slurm::JobId;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t kBegin = 1'700'000'000;

std::string text_of(int second) {
  return base::format_rfc3339(base::WallTime(seconds(kBegin + second)));
}

// The admin_comment of a job that was submitted for this pod.
std::string made_for(const std::string& pod) {
  const kube::Uid uid("u-" + pod);
  return workload::admin_comment({testing::kBridge, uid, {{{"a", pod}, uid}}});
}

struct SeenPod {
  std::uint32_t job = 0;  // zero: the pod names no job
  int created = 0;
  std::optional<int> bound = {};
  std::string job_known = "";  // reason of kJobKnownCondition with status False
};

// A cluster state with pods that a test changes and with FakeSlurm, on virtual time.
struct World {
  World() { group.spawn("mirror", mirror.run()); }
  ~World() {
    group.cancel();
    loop.run_virtual(clock, clock.now());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void pass(base::Duration time) { loop.run_virtual(clock, clock.now() + time); }

  void see(const std::string& name, const SeenPod& seen) {
    json::Parser parser;
    json::Object labels;
    if (seen.job != 0) labels.set(workload::kJobIdLabel, std::to_string(seen.job));
    json::Array conditions{json::Object{{"type", "PodScheduled"},
                                        {"status", seen.bound ? "True" : "False"},
                                        {"lastTransitionTime", text_of(seen.bound.value_or(0))}}};
    if (!seen.job_known.empty()) {
      conditions.push_back(json::Object{
          {"type", workload::kJobKnownCondition}, {"status", "False"}, {"reason", seen.job_known}});
    }
    const json::Object object{
        {"metadata",
         json::Object{{"name", name},
                      {"namespace", "a"},
                      {"uid", "u-" + name},
                      {"resourceVersion", std::to_string(++version)},
                      {"creationTimestamp", text_of(seen.created)},
                      {"labels", labels}}},
        {"spec",
         json::Object{{"schedulerName", testing::kBridge.scheduler},
                      {"nodeName", seen.bound ? "k001" : ""}}},
        {"status",
         json::Object{{"phase", seen.bound ? "Running" : "Pending"}, {"conditions", conditions}}}};
    texts[name] = json::Value(object).dump();
    cluster.pods().changed(*parser.parse(texts[name]));
  }
  void remove(const std::string& name) {
    json::Parser parser;
    if (texts.contains(name)) cluster.pods().deleted(*parser.parse(texts[name]));
    texts.erase(name);
  }
  const kube::Pod& pod(const std::string& name) const { return *pods().at({"a", name}); }
  const kube::Store<kube::Pod>::Objects& pods() const {
    return const_cast<ClusterState&>(cluster).pods().objects();  // NOLINT: only read
  }

  // The rule for older_job, evaluated pod by pod.
  bool slurm_remembers_older(const kube::Pod& mine) {
    const auto job = marks::named_job(mine);
    const slurm::JobView* view = job ? mirror.find(*job) : nullptr;
    const auto said = job ? mirror.identity_known_since(*job) : std::nullopt;
    if (view == nullptr || (!is_unknown_to_slurm(view) && !said)) return false;
    const auto created = *base::parse_rfc3339(mine.metadata.creationTimestamp);
    const base::Instant gone_since = is_unknown_to_slurm(view) ? view->unknown_since : *said;
    for (const auto& [key, other] : pods()) {
      const auto id = marks::named_job(*other);
      const slurm::JobView* its = id && *id != *job ? mirror.find(*id) : nullptr;
      const slurm::JobIdentityRecord* claim =
          its != nullptr ? mirror.identity_record_of(*id) : nullptr;
      if (claim == nullptr || its->knowledge != slurm::JobView::Knowledge::known) continue;
      if (its->as_of < view->as_of || claim->as_of < gone_since) continue;
      if (!claim->submit_time || *claim->submit_time > created) continue;
      if (!cluster.is_job_of(*id, *other).value_or(false) || !other->bound()) continue;
      if (other->status.conditions.front().lastTransitionTime < mine.metadata.creationTimestamp)
        return true;
    }
    return false;
  }

  base::VirtualClock clock;
  net::Loop loop{clock, 7};
  slurm::testing::FakeSlurm slurm;
  // Slurm's nodes: name and state.
  std::map<std::string, std::string> node_states;
  slurm::testing::ScriptedTransport::Reply reply(const net::http::Request& request) const {
    if (!request.target.contains("/nodes/")) return slurm.reply(request);
    json::Array nodes;
    for (const auto& [name, state] : node_states)
      nodes.push_back(json::Object{{"name", name}, {"state", json::Array{"IDLE", state}}});
    const json::Object body{{"nodes", nodes},
                            {"last_update", json::Object{{"number", kBegin}}},
                            {"errors", json::Array{}}};
    return {slurm::testing::answer(200, json::Value(body).dump())};
  }
  slurm::testing::ScriptedTransport transport{
      loop, [this](const net::http::Request& request) { return reply(request); }};
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("t"));
  slurm::Client client{loop, transport, tokens};
  slurm::Mirror mirror{loop, client, {}, [](std::string_view comment) {
                         return marks::may_be_ours(comment, testing::kBridge);
                       }};
  slurm::NodeMirror slurm_nodes{loop, client, {}, [] { return true; }};
  ClusterState cluster{mirror, slurm_nodes, testing::kBridge};
  StateLossDetector losses{cluster};
  net::TaskGroup group{loop};
  std::map<std::string, std::string> texts;
  int version = 0;
};

TEST(ClusterState, AReusedJobIdIsFoundByThePodOfTheNewJob) {
  World world;
  world.slurm.jobs[7] = {"RUNNING", made_for("old"), {"k001"}};
  world.see("old", {.job = 7, .bound = 1});
  world.see("new", {.created = 5});
  world.pass(seconds(5));
  ASSERT_FALSE(world.cluster.live_job_of(world.pod("new")));
  std::set<std::string> told;
  world.cluster.on_pod([&](const kube::ObjectKey& key) { told.insert(key.name); });
  // slurmctld crashed and reused the id before the bridge polled it as unknown.
  world.slurm.jobs[7].comment = made_for("new");
  world.pass(seconds(120));
  EXPECT_EQ(world.cluster.live_job_of(world.pod("new")), JobId(7));
  EXPECT_EQ(world.cluster.live_job_of(world.pod("old")), std::nullopt);
  EXPECT_EQ(told, (std::set<std::string>{"new", "old"}));
}

TEST(ClusterState, TheFirstListOfNodesReportsEachUnboundPodOnce) {
  World world;
  world.cluster.pods().list_begins();
  world.cluster.pods().list_ends();
  for (int i = 0; i < 10; ++i) world.see(fmt::format("p{}", i), {});
  world.see("bound", {.bound = 1});
  std::map<std::string, int> told;
  world.cluster.on_pod([&](const kube::ObjectKey& key) { ++told[key.name]; });
  const auto list = [&](int nodes) {
    world.cluster.nodes().list_begins();
    for (int i = 0; i < nodes; ++i) {
      const std::string text = fmt::format(
          R"({{"metadata":{{"name":"k{0}","uid":"u{0}","resourceVersion":"1"}},"spec":{{}},"status":{{}}}})",
          i);
      json::Parser parser;
      world.cluster.nodes().list_item(*parser.parse(text));
    }
    world.cluster.nodes().list_ends();
  };
  list(50);
  EXPECT_EQ(told.size(), 10U);
  EXPECT_FALSE(told.contains("bound"));
  for (const auto& [name, times] : told) EXPECT_EQ(times, 1) << name;
  told.clear();
  list(60);
  EXPECT_TRUE(told.empty()) << "new nodes are reported by on_node_generation()";
}

TEST(ClusterState, AllJobsAreReadOncePerAnswerForAllPodsWithLostJobs) {
  World world;
  for (std::uint32_t id = 1; id <= 100; ++id) {
    const std::string name = std::to_string(id);
    world.slurm.jobs[id] = {"RUNNING", made_for(name), {"k001"}, kBegin};
    world.see(name, {.job = id, .created = 5, .bound = 6});
  }
  world.pass(seconds(5));
  world.slurm.jobs.clear();
  world.cluster.on_pod(
      [&](const kube::ObjectKey& key) { world.losses.evidence_for(*world.pods().at(key)); });
  const std::uint64_t answers = world.mirror.answers();
  world.pass(seconds(10));
  const std::uint64_t more = world.mirror.answers() - answers;
  EXPECT_GE(more, 9U);
  EXPECT_GE(world.losses.full_scans(), 9U);
  // One scan for the witnesses and one for the cohort.
  EXPECT_LE(world.losses.full_scans(), 2 * more);
}

// Twenty pods, each bound five seconds after the previous one.
struct Twenty : World {
  Twenty() {
    for (std::uint32_t id = 1; id <= 20; ++id) make(id);
    pass(seconds(5));
  }
  void make(std::uint32_t id) {
    const std::string name = std::to_string(id);
    const int created = 5 * static_cast<int>(id);
    slurm.jobs[id] = {"RUNNING", made_for(name), {"k001"}, kBegin + created};
    see(name, {.job = id, .created = created, .bound = created + 2});
  }
  void lose(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t id = first; id <= last; ++id) slurm.jobs.erase(id);
  }
  StateLoss loss(std::uint32_t id) const {
    return losses.evidence_for(pod(std::to_string(id))).loss;
  }
};

TEST(StateLossDetector, OneLostJobOfManyIsIsolated) {
  Twenty world;
  world.lose(19, 19);
  world.pass(seconds(120));
  EXPECT_EQ(world.loss(19), StateLoss::isolated);
  EXPECT_TRUE(world.losses.evidence_for(world.pod("19")).absence_counts());
}

TEST(StateLossDetector, ALossIsUndeterminedUntilOtherJobsAreConfirmed) {
  Twenty world;
  world.lose(19, 19);
  world.pass(seconds(2));
  EXPECT_EQ(world.loss(19), StateLoss::undetermined);
}

TEST(StateLossDetector, AnOldStateOfSlurmIsAWidespreadLoss) {
  Twenty world;
  world.lose(2, 20);
  world.pass(seconds(2));
  for (std::uint32_t id = 2; id <= 20; ++id) EXPECT_EQ(world.loss(id), StateLoss::widespread) << id;
  world.pass(seconds(120));
  for (std::uint32_t id = 2; id <= 20; ++id) EXPECT_EQ(world.loss(id), StateLoss::widespread) << id;
}

TEST(StateLossDetector, JobsSubmittedAfterTheLossDoNotOutweighTheLostJobs) {
  Twenty world;
  world.lose(2, 20);
  for (std::uint32_t id = 21; id <= 80; ++id) world.make(id);
  world.pass(seconds(300));
  for (std::uint32_t id = 2; id <= 20; ++id) EXPECT_EQ(world.loss(id), StateLoss::widespread) << id;
}

TEST(StateLossDetector, JobsThatWereReservedAgainDoNotOutweighTheLostJobs) {
  Twenty world;
  world.lose(2, 20);
  world.pass(seconds(5));
  for (std::uint32_t id = 2; id <= 19; ++id) {
    const int created = 5 * static_cast<int>(id);
    world.slurm.jobs[id + 100] = {"RUNNING", made_for(std::to_string(id)), {"k001"}, kBegin + 1000};
    world.see(std::to_string(id), {.job = id + 100, .created = created, .bound = created + 2});
  }
  world.lose(1, 1);
  world.pass(seconds(300));
  EXPECT_EQ(world.loss(20), StateLoss::widespread);
}

TEST(StateLossDetector, AReusedJobIdIsALostJob) {
  Twenty world;
  world.lose(17, 20);
  for (std::uint32_t id = 8; id <= 16; ++id)
    world.slurm.jobs[id] = {"RUNNING", "somebody else's", {"k001"}, kBegin + 1000};
  bool proven = false;
  for (int second = 0; second < 200; ++second) {
    world.pass(seconds(1));
    for (std::uint32_t id = 8; id <= 20; ++id) {
      const kube::Pod& pod = world.pod(std::to_string(id));
      proven |= world.losses.evidence_for(pod).absence_counts();
    }
  }
  EXPECT_FALSE(proven);
  EXPECT_EQ(world.loss(20), StateLoss::widespread);
}

// Slurm lost the job of a running pod and issued its id to a pending job that this process
// submitted for another pod. The identity of that job is known and not read from Slurm.
TEST(StateLossDetector, AnIdReusedByAPendingJobOfOursIsALostJob) {
  Twenty world;
  world.lose(19, 19);
  world.pass(seconds(5));
  world.slurm.jobs[19] = {"PENDING", made_for("late"), {}, kBegin + 200};
  world.see("late", {.created = 200});
  world.mirror.submitted(JobId(19), made_for("late"));
  world.see("late", {.job = 19, .created = 200});
  world.pass(seconds(180));
  EXPECT_TRUE(job_id_was_reused(world.cluster, JobId(19), world.pod("19")));
  EXPECT_EQ(world.loss(19), StateLoss::isolated);
  EXPECT_TRUE(world.losses.evidence_for(world.pod("19")).absence_counts());
}

TEST(StateLossDetector, AWidespreadLossShownByAPodStaysWhenOtherPodsAreDeleted) {
  Twenty world;
  world.lose(12, 20);
  world.see("20", {.job = 20, .created = 100, .bound = 102, .job_known = "LostBySlurm"});
  world.see("19", {.job = 19, .created = 95, .bound = 97, .job_known = "UnknownToSlurm"});
  for (int id = 12; id < 19; ++id) world.remove(std::to_string(id));
  world.pass(seconds(120));
  EXPECT_EQ(world.loss(20), StateLoss::widespread);
  EXPECT_EQ(world.loss(19), StateLoss::isolated);
}

TEST(ClusterState, TheSlurmNameOfADeletedNodeIsReadFromItsJob) {
  World world;
  world.group.spawn("nodes", world.slurm_nodes.run());
  const auto see_node = [&](const std::string& name, const std::string& slurm_name) {
    const json::Object node{
        {"metadata",
         json::Object{{"name", name},
                      {"uid", "u-" + name},
                      {"resourceVersion", "1"},
                      {"labels", json::Object{{workload::kSlurmNodeNameLabel, slurm_name}}}}},
        {"spec", json::Object{}},
        {"status", json::Object{}}};
    return json::Value(node).dump();
  };
  json::Parser parser;
  const std::string node = see_node("k001", "s001");
  world.cluster.nodes().changed(*parser.parse(node));
  world.slurm.jobs[7] = {"RUNNING", made_for("a"), {"s001"}};
  world.node_states = {{"s001", "EXTERNAL"}, {"s002", "EXTERNAL"}};
  world.see("a", {.job = 7, .bound = 1});
  world.pass(seconds(30));
  const auto spared = [&](const slurm::JobView* job) {
    return is_unavailable_in_slurm(world.cluster, "k001", job);
  };
  const slurm::JobView* job = world.mirror.find(JobId(7));
  ASSERT_TRUE(job->placed());
  EXPECT_FALSE(spared(job));

  json::Parser again;
  world.cluster.nodes().deleted(*again.parse(node));
  EXPECT_FALSE(spared(job)) << "Slurm may start a job on the node";
  slurm::JobView nowhere = *job;
  nowhere.nodes.clear();
  EXPECT_FALSE(spared(&nowhere)) << "the nodes of the job are not known yet";
  world.node_states["s001"] = "DRAIN";
  world.pass(seconds(400));
  EXPECT_TRUE(spared(world.mirror.find(JobId(7))));
  // Without a job, the node's name in Slurm is taken to be k001, which Slurm does not have.
  world.node_states["s001"] = "EXTERNAL";
  world.pass(seconds(400));
  EXPECT_TRUE(spared(nullptr));
}

// The first result after an answer of Slurm equals the rule. A later result may miss new evidence,
// but never contains evidence that is not valid any more.
RC_GTEST_PROP(StateLossDetectorProperty, TheOlderJobIsAWitnessByTheRule, ()) {
  World world;
  world.slurm.jobs[100] = {"PENDING", made_for("always")};
  world.see("always", {.job = 100});
  const auto number = [] { return *rc::gen::inRange<std::uint32_t>(1, 6); };
  const auto second = [] { return *rc::gen::inRange(0, 6); };
  for (std::uint32_t id = 1; id < 6; ++id) {
    const std::string name = std::to_string(id);
    world.slurm.jobs[id] = {"RUNNING", made_for(name), {"k001"}, kBegin + second()};
    world.see(name, {.job = id, .created = second(), .bound = second()});
  }
  world.pass(seconds(5));
  bool proven = false;
  for (int n = *rc::gen::inRange(1, 15); n > 0; --n) {
    const std::uint32_t id = number();
    const std::string name = std::to_string(id);
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
      case 1: {
        SeenPod seen{.job = *rc::gen::inRange(0, 4) == 0 ? number() : id, .created = second()};
        if (*rc::gen::inRange(0, 4) != 0) seen.bound = second();
        world.see(name, seen);
        if (world.slurm.jobs.contains(id)) break;
        world.slurm.jobs[id] = {"RUNNING", made_for(name), {"k001"}, kBegin + second()};
        break;
      }
      case 2: {
        const std::string whose = *rc::gen::inRange(0, 3) == 0 ? std::to_string(number()) : name;
        const char* state = *rc::gen::elementOf(
            std::vector<const char*>{"RUNNING", "RUNNING", "PENDING", "CANCELLED"});
        world.slurm.jobs[id] = {state, made_for(whose), {"k001"}, kBegin + second()};
        break;
      }
      case 3: world.slurm.jobs.erase(id); break;
      case 4: world.remove(name); break;
      default: world.pass(seconds(*rc::gen::inRange(1, 90)));
    }
    world.pass(milliseconds(1100));
    for (const auto& [key, pod] : world.pods()) {
      const bool remembers = world.losses.evidence_for(*pod).older_job.has_value();
      RC_ASSERT(remembers == world.slurm_remembers_older(*pod));
      proven |= remembers;
    }
    world.remove(std::to_string(number()));
    for (const auto& [key, pod] : world.pods())
      RC_ASSERT(!world.losses.evidence_for(*pod).older_job.has_value() ||
                world.slurm_remembers_older(*pod));
  }
  RC_CLASSIFY(proven);
}

}  // namespace
}  // namespace bridge::state
