// SPDX-License-Identifier: Apache-2.0
#include "history.h"
#include "script.h"
#include "source_tree.h"
#include "workload/wellknown.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sim {
namespace {

using namespace std::chrono_literals;

const Action* action(std::string_view name) {
  const auto found = std::ranges::find(actions(), name, &Action::name);
  if (found == actions().end()) ADD_FAILURE() << "no action " << name;
  return &*found;
}

Plan one_pod() {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  plan.steps.push_back({3s, action("create a pod that never ends"), {}});
  return plan;
}

// The result of a world in which the process crashed at its k-th request.
struct Crashed {
  std::optional<Violation> violation;
  bool reached = false;  // there was a k-th request
  int submitted = 0;
  int live = 0;
  int bound = 0;
};

Crashed crash_at(std::uint64_t request, World::CrashPoint point) {
  World world(one_pod(), World::Record::no);
  Crashed crashed;
  world.slurm().on_change([&](const models::slurm::JobChange& change) {
    crashed.submitted += change.what == "submitted" ? 1 : 0;
  });
  world.crash_at_request("bridge", request, point);
  crashed.violation = world.run();
  crashed.reached = world.crashes() > 0;
  for (const auto& [id, job] : world.slurm().jobs()) crashed.live += job.live() ? 1 : 0;
  for (const auto& [uid, pod] : world.pods()) crashed.bound += pod.bound() ? 1 : 0;
  return crashed;
}

TEST(Simulation, AProcessKilledAtAnyAwaitFromStartToBindLeavesExactlyOneJob) {
  for (const auto point :
       {World::CrashPoint::before_sending, World::CrashPoint::after_the_effect}) {
    // Ends at the first request number that is not reached: the pod was bound before.
    for (std::uint64_t request = 0;; ++request) {
      const Crashed crashed = crash_at(request, point);
      ASSERT_FALSE(crashed.violation) << "request " << request << ": " << crashed.violation->what;
      if (!crashed.reached) {
        EXPECT_GT(request, 15U);
        break;
      }
      EXPECT_EQ(crashed.submitted, 1) << "request " << request;
      EXPECT_EQ(crashed.live, 1) << "request " << request;
      EXPECT_EQ(crashed.bound, 1) << "request " << request;
    }
  }
}

// The node has 8 CPUs in Slurm and 7 allocatable CPUs in Kubernetes. Two pods with 4 CPUs have
// volumes on the node and are processed at the same time; one of them must wait.
TEST(Simulation, TwoPodsWhoseVolumesAreReadAtOnceDoNotOverfillTheirNode) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 2;
  plan.uneven = true;
  constexpr std::uint64_t kFourCpusOnTheSecondNode = 49;
  for (const std::uint64_t name : {0U, 1U}) {
    plan.steps.push_back(
        {3s, action("create a pod with a volume"), {name, 19, 0, kFourCpusOnTheSecondNode}});
  }
  World world(plan, World::Record::no);
  const auto violation = world.run();
  EXPECT_FALSE(violation) << violation->what;
  EXPECT_EQ(world.slurm().jobs().size(), 2U);
}

void post(World& world, std::string path, std::string body) {
  net::http::Request request("POST", std::move(path), std::move(body));
  request.headers.emplace_back("Content-Type", "application/json");
  ASSERT_EQ(world.as_user(std::move(request)).status, 201);
}

const std::string kPods = fmt::format("/api/v1/namespaces/{}/pods", kNamespace);

// Creates a pod that shares its node and never ends.
void create_sharing(World& world,
                    const std::string& name,
                    unsigned cpus,
                    std::string_view scheduler) {
  post(world,
       kPods,
       fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{)"
                   R"("slurmjob.slinky.slurm.net/exclusive":"false"}}}},"spec":{{)"
                   R"("schedulerName":"{}","containers":[{{"name":"c","image":"i","resources":)"
                   R"({{"requests":{{"cpu":"{}","memory":"1Gi"}}}}}}]}}}})",
                   name,
                   scheduler,
                   cpus));
}

// A process is killed between the submit and the label patch. The lists of the next process are
// older than the pod, so that the pod arrives by the watch, as a new pod does. Slurm is slow, so
// that the pod arrives before the first scan of Slurm's jobs is complete.
TEST(Simulation, APodThatTheFirstListLacksIsNotSubmittedTwice) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  plan.slurm_takes = 7s;
  World world(plan, World::Record::no);
  int submitted = 0;
  world.slurm().on_change([&](const models::slurm::JobChange& change) {
    submitted += change.what == "submitted" ? 1 : 0;
  });
  world.pass(20s);
  world.network().serve_stale_lists(20);
  create_sharing(world, "pod", 1, kScheduler);
  for (int i = 0; i < 200 && submitted == 0; ++i) world.pass(100ms);
  ASSERT_EQ(submitted, 1);
  ASSERT_FALSE(world.pod_named(kNamespace, "pod")->job);
  world.kill(*world.processes().front(), 30s);
  world.pass(120s);
  EXPECT_EQ(submitted, 1);
  EXPECT_TRUE(world.pod_named(kNamespace, "pod")->bound());
  EXPECT_FALSE(world.violation()) << world.violation()->what;
}

// Slurm starts the job of a pod on a node that another scheduler fills at the same moment. The
// answer to one of the requests that release the job is lost.
TEST(Simulation, AJobThatIsReleasedIsNotForgottenWhenTheAnswerIsLost) {
  for (std::uint64_t skip = 0; skip < 6; ++skip) {
    Plan plan;
    plan.seed = 1;
    plan.nodes = 1;
    World world(plan, World::Record::no);
    world.pass(5s);
    create_sharing(world, "first", 8, kScheduler);
    world.pass(5s);
    create_sharing(world, "second", 8, kScheduler);
    world.pass(30s);
    world.slurm().on_change([&](const models::slurm::JobChange& change) {
      if (change.what != "started" || world.pod_named(kNamespace, "other") != nullptr) return;
      create_sharing(world, "other", 8, "default-scheduler");
      post(world, kPods + "/other/binding", R"({"target":{"kind":"Node","name":"n0"}})");
      world.faults().arm(System::kube, Fault::half_answered, skip, 1);
    });
    (void)world.as_user(net::http::Request("DELETE", kPods + "/first"));
    for (int i = 0; i < 100 && world.pod_named(kNamespace, "other") == nullptr; ++i)
      world.pass(100ms);
    ASSERT_NE(world.pod_named(kNamespace, "other"), nullptr);
    world.pass(3s);
    (void)world.as_user(net::http::Request("DELETE", kPods + "/other"));
    world.pass(60s);
    EXPECT_FALSE(world.violation()) << "request " << skip << ": " << world.violation()->what;
    const auto live = std::ranges::count_if(world.slurm().jobs(),
                                            [](const auto& entry) { return entry.second.live(); });
    EXPECT_LE(live, 1) << "request " << skip;
  }
}

// Another scheduler fills the only node at the moment when Slurm starts a job there. The job is
// released. Once the node has room again, the pod is bound there within a minute.
TEST(Simulation, ANodeWhoseJobWasReleasedIsUsedAgainOnceItHasRoom) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  World world(plan, World::Record::no);
  bool filled = false;
  world.slurm().on_change([&](const models::slurm::JobChange& change) {
    if (change.what != "started" || std::exchange(filled, true)) return;
    create_sharing(world, "other", 8, "default-scheduler");
    post(world, kPods + "/other/binding", R"({"target":{"kind":"Node","name":"n0"}})");
  });
  world.pass(5s);
  create_sharing(world, "pod", 8, kScheduler);
  world.pass(30s);
  ASSERT_EQ(world.pod_named(kNamespace, "pod")->scheduled_reason, "NoNodeFits");
  (void)world.as_user(net::http::Request("DELETE", kPods + "/other"));
  for (int i = 0; i < 600 && world.pod_named(kNamespace, "other") != nullptr; ++i)
    world.pass(100ms);
  ASSERT_EQ(world.pod_named(kNamespace, "other"), nullptr);
  world.pass(70s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  EXPECT_TRUE(world.pod_named(kNamespace, "pod")->bound());
}

// The node has fewer CPUs in Kubernetes than in Slurm. Of two pods whose jobs run there one is
// bound, and the watch does not deliver the bind. A second bind of that pod is refused, which does
// not mean that the pod is unbound.
TEST(Simulation, ABindThatTheWatchDoesNotShowStillCounts) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 2;
  plan.uneven = true;
  World world(plan, World::Record::no);
  world.pass(5s);
  models::slurm::SlurmJob somebody;
  somebody.name = "somebody";
  somebody.user = "slurm";
  somebody.partition = "slurm-bridge";
  somebody.external = true;
  somebody.exclusive = true;
  somebody.node_count = 2;
  const std::uint32_t held = world.slurm().submit(somebody);
  world.pass(2s);
  create_sharing(world, "fills-the-other-node", 8, kScheduler);
  world.pass(1s);
  create_sharing(world, "first", 2, kScheduler);
  world.pass(1s);
  create_sharing(world, "second", 6, kScheduler);
  world.pass(10s);
  world.network().stall_watches();
  world.slurm().end(held, "COMPLETED", "None");
  world.pass(25s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  const auto bound =
      std::ranges::count_if(world.pods(), [](const auto& entry) { return entry.second.bound(); });
  EXPECT_EQ(bound, 2) << "one pod must wait: the node has 7 CPUs for pods with 2 and 6";
}

// A bind takes seconds to arrive. Before it arrives, its sender dies, its job is cancelled, and the
// next process binds another pod to the node. The late bind overfills the node, which no process
// can prevent. Returns whether that happened with this seed.
bool late_bind_overfills_the_node(std::uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  plan.nodes = 1;
  World world(plan, World::Record::no);
  world.pass(5s);
  world.faults().outage_of(
      System::kube, Fault::slow, world.now() + 4s, [](const net::http::Request& request) {
        return request.method != "GET" && request.target.contains("/pods/first") &&
               (request.method == "DELETE" || request.target.contains("/binding"));
      });
  create_sharing(world, "first", 8, kScheduler);
  world.pass(1s);
  world.kill(*world.processes().front(), 500ms);
  world.slurm().end(1, "CANCELLED", "None");
  world.pass(4s);
  create_sharing(world, "second", 8, kScheduler);
  world.pass(2s);
  const PodTruth* first = world.pod_named(kNamespace, "first");
  const PodTruth* second = world.pod_named(kNamespace, "second");
  const bool late = first != nullptr && !first->bound() && second->bound();
  bool overfilled = false;
  for (int i = 0; late && i < 200 && !overfilled; ++i) {
    world.pass(100ms);
    first = world.pod_named(kNamespace, "first");
    overfilled = first != nullptr && first->bound();
  }
  EXPECT_FALSE(world.violation()) << "seed " << seed << ": " << world.violation()->what;
  return overfilled;
}

TEST(Simulation, ABindIsCheckedAgainstTheStateThatItsSenderKnew) {
  int happened = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    happened += late_bind_overfills_the_node(seed) ? 1 : 0;
  EXPECT_GT(happened, 0);
}

// Each answer of Slurm takes 7 s, and the reasons of waiting jobs are read one after the other. The
// reasons of many jobs change at once, and the last one is written minutes later.
TEST(Simulation, IfSlurmIsSlowTheReasonsOfManyJobsMayBeWrittenLater) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  plan.slurm_takes = 7s;
  for (std::uint64_t i = 0; i < 6; ++i)
    plan.steps.push_back({3s, action("create a pod that never ends"), {i, 0, 1, 0}});
  for (std::uint64_t i = 0; i < 6; ++i) {
    plan.steps.push_back({60s, action("create a pod for some nodes"), {i, 0, 1, 0}});
    plan.steps.push_back({60s, action("create a pod"), {i, 0, 1, 0}});
  }
  plan.steps.push_back({120s, action("drain a node"), {0, 39, 1, 0}});
  World world(plan, World::Record::no);
  const auto violation = world.run();
  EXPECT_FALSE(violation) << violation->what;
}

// Creates a pod that takes a whole node with an ssd (n0 or n2).
void create_for_ssd(World& world, const std::string& name) {
  post(world,
       kPods,
       fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"schedulerName":"{}",)"
                   R"("nodeSelector":{{"disk":"ssd"}},"containers":[{{"name":"c","image":"i",)"
                   R"("resources":{{"requests":{{"cpu":"8","memory":"1Gi"}}}}}}]}}}})",
                   name,
                   kScheduler));
}

// An excluded node was deleted in Slurm and is still in the node mirror: Slurm refuses its name
// (2018). This is not an error of the pod, which does not wait as a refused pod does.
TEST(Simulation, ANodeThatHasLeftSlurmIsNoReasonToRefuseAPod) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 2;
  World world(plan, World::Record::no);
  world.pass(5s);
  world.faults().outage(System::slurm, Fault::bad_gateway, world.now() + 3s, "/nodes/");
  ASSERT_TRUE(world.slurm().remove_node("n1"));
  create_for_ssd(world, "picky");
  world.pass(3s);
  ASSERT_NE(world.pod_named(kNamespace, "picky"), nullptr);
  EXPECT_FALSE(world.pod_named(kNamespace, "picky")->job) << "the node mirror was not out of date";
  world.pass(15s);
  EXPECT_TRUE(world.pod_named(kNamespace, "picky")->bound())
      << world.pod_named(kNamespace, "picky")->scheduled_message;
  EXPECT_FALSE(world.violation()) << world.violation()->what;
}

// As above, with a waiting job whose excluded nodes are updated.
TEST(Simulation, ANodeThatHasLeftSlurmDoesNotPreventTheUpdateOfAWaitingJob) {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 3;
  World world(plan, World::Record::yes);
  world.pass(5s);
  for (const char* name : {"first", "second", "waits"}) create_for_ssd(world, name);
  world.pass(20s);
  const auto waiting = std::ranges::find_if(
      world.slurm().jobs(), [](const auto& entry) { return entry.second.pending(); });
  ASSERT_NE(waiting, world.slurm().jobs().end());
  EXPECT_EQ(waiting->second.excluded, std::set<std::string>{"n1"});
  world.faults().outage(System::slurm, Fault::bad_gateway, world.now() + 90s, "/nodes/");
  ASSERT_TRUE(world.slurm().remove_node("n1"));
  net::http::Request relabel(
      "PATCH", "/api/v1/nodes/n2", R"({"metadata":{"labels":{"disk":"tape"}}})");
  relabel.headers.emplace_back("Content-Type", "application/merge-patch+json");
  (void)world.as_user(std::move(relabel));
  world.pass(240s);
  EXPECT_TRUE(std::ranges::any_of(world.timeline().lines(), [](const std::string& line) {
    return line.contains("POST job/") && line.contains("-> 422");
  })) << "the node mirror was not out of date";
  EXPECT_TRUE(waiting->second.pending());
  EXPECT_EQ(waiting->second.excluded, std::set<std::string>{"n2"});
  EXPECT_FALSE(world.violation()) << world.violation()->what;
}

// A world with one node that a foreign job fills, and a pod whose job waits for the node.
struct Waiting {
  Waiting() : world(plan(), World::Record::no) {
    world.pass(5s);
    world.slurm().submit(foreign());
    world.pass(2s);
    create_sharing(world, "waits", 8, kScheduler);
    world.pass(10s);
  }
  static Plan plan() {
    Plan plan;
    plan.seed = 1;
    plan.nodes = 1;
    return plan;
  }
  static models::slurm::SlurmJob foreign(std::string comment = "") {
    models::slurm::SlurmJob job;
    job.name = "somebody";
    job.user = "alice";
    job.partition = "slurm-bridge";
    job.external = true;
    job.cpus = 8;
    job.memory_mb = 100;
    job.admin_comment = std::move(comment);
    return job;
  }
  std::optional<std::uint32_t> job_of(std::string_view pod) {
    return world.pod_named(kNamespace, pod)->job;
  }
  std::size_t live_jobs_of(std::string_view pod) {
    const std::string uid = world.pod_named(kNamespace, pod)->uid;
    return static_cast<std::size_t>(std::ranges::count_if(
        world.slurm().jobs(),
        [&](const auto& entry) { return entry.second.live() && world.is_of(entry.second, uid); }));
  }

  World world;
};

// Slurm executes a submit, which it had answered with a timeout, after the pod got another job.
// When the other job fails, the late job is found before a third one is submitted.
TEST(Simulation, AJobOfALateSubmitIsFoundBeforeAnotherIsSubmitted) {
  Waiting waiting;
  World& world = waiting.world;
  const std::uint32_t first = *waiting.job_of("waits");
  const models::slurm::SlurmJob late = *world.slurm().find(first);
  world.pass(2s);
  world.slurm().submit(late);  // the same request again
  const std::uint32_t second = world.slurm().jobs().rbegin()->first;
  ASSERT_GT(second, first);
  world.pass(30s);
  world.slurm().end(first, "FAILED", "NonZeroExitCode");
  world.pass(10s);
  EXPECT_EQ(waiting.job_of("waits"), second);
  EXPECT_EQ(waiting.live_jobs_of("waits"), 1U);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
}

// A user removes the label from a pod whose job waits. The mirror then stops following the job,
// which must be searched for before another one is submitted.
TEST(Simulation, AJobLabelThatAUserRemovesIsWrittenAgain) {
  Waiting waiting;
  World& world = waiting.world;
  const std::uint32_t job = *waiting.job_of("waits");
  world.pass(30s);
  net::http::Request unlabel(
      "PATCH",
      kPods + "/waits",
      R"({"metadata":{"labels":{"scheduler.slinky.slurm.net/slurm-jobid":null}}})");
  unlabel.headers.emplace_back("Content-Type", "application/merge-patch+json");
  ASSERT_EQ(world.as_user(std::move(unlabel)).status, 200);
  ASSERT_FALSE(waiting.job_of("waits"));
  world.pass(60s);
  EXPECT_EQ(waiting.job_of("waits"), job);
  EXPECT_EQ(waiting.live_jobs_of("waits"), 1U);
  EXPECT_EQ(world.slurm().jobs().size(), 2U) << "another job was submitted";
  EXPECT_FALSE(world.violation()) << world.violation()->what;
}

// While Slurm is unreachable, slurmctld loses the job of a waiting pod and gives its id to a
// foreign job. The excluded nodes must not be written to the foreign job.
TEST(Simulation, TheExcludedNodesOfAJobAreNotWrittenToAnotherJobWithItsId) {
  for (const base::Duration away : {5s, 20s, 40s, 60s}) {
    Waiting waiting;
    World& world = waiting.world;
    const std::uint32_t id = *waiting.job_of("waits");
    world.faults().outage(System::slurm, Fault::lost_before, world.now() + away);
    world.pass(1s);
    world.slurm().restart_losing(world.slurm().find(id)->submitted_at - 1ms);
    ASSERT_EQ(world.slurm().submit(Waiting::foreign()), id);
    net::http::Request relabel(
        "PATCH", "/api/v1/nodes/n0", R"({"metadata":{"labels":{"disk":"tape"}}})");
    relabel.headers.emplace_back("Content-Type", "application/merge-patch+json");
    (void)world.as_user(std::move(relabel));
    world.pass(180s);
    EXPECT_FALSE(world.violation()) << world.violation()->what;
    EXPECT_TRUE(world.slurm().find(id)->excluded.empty());
    EXPECT_NE(waiting.job_of("waits"), id);
  }
}

// slurmctld lost the job of a pod and gave its id to a job of the reference in another cluster, for
// a pod of the same name.
TEST(Simulation, AJobOfTheReferenceInAnotherClusterIsNotTakenForALostJob) {
  for (const bool deleted : {false, true}) {
    Waiting waiting;
    World& world = waiting.world;
    const std::uint32_t id = *waiting.job_of("waits");
    world.faults().outage(System::slurm, Fault::lost_before, world.now() + 5s);
    world.pass(1s);
    world.slurm().restart_losing(world.slurm().find(id)->submitted_at - 1ms);
    const auto reference = Waiting::foreign(fmt::format(R"({{"pods":["{}/waits"]}})", kNamespace));
    ASSERT_EQ(world.slurm().submit(reference), id);
    world.slurm().end(1, "COMPLETED", "None");
    if (deleted) (void)world.as_user(net::http::Request("DELETE", kPods + "/waits"));
    world.pass(120s);
    EXPECT_FALSE(world.violation()) << world.violation()->what;
    EXPECT_TRUE(world.slurm().find(id)->live());
  }
}

// A world with 20 running pods, one of which was created later, and 5 waiting pods.
class Busy : public ::testing::TestWithParam<Topology> {
 protected:
  static constexpr std::size_t kRunning = 20;
  static constexpr std::size_t kWaiting = 5;

  static Plan plan() {
    Plan plan;
    plan.seed = 1;
    plan.nodes = 3;  // 24 CPUs
    plan.topology = GetParam();
    return plan;
  }

  void create(const std::string& name, unsigned cpus) {
    create_sharing(world, name, cpus, kScheduler);
  }

  void fill() {
    world.pass(5s);
    for (std::size_t i = 1; i < kRunning; ++i) create(fmt::format("runs-{}", i), 1);
    world.pass(10s);
    create("runs-last", 1);
    world.pass(10s);
    for (std::size_t i = 0; i < kWaiting; ++i) create(fmt::format("waits-{}", i), 8);
    world.pass(10s);
    ASSERT_EQ(bound().size(), kRunning);
    ASSERT_EQ(live_jobs().size(), kRunning + kWaiting);
  }

  std::set<std::string> bound() const {
    std::set<std::string> uids;
    for (const auto& [uid, pod] : world.pods()) {
      if (pod.bound() && !pod.deleting && pod.phase == "Running") uids.insert(uid);
    }
    return uids;
  }
  // The number of pods with the reason LostBySlurm.
  std::size_t lost() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        world.pods(), [](const auto& entry) { return entry.second.job_shown == "LostBySlurm"; }));
  }
  std::set<std::uint32_t> live_jobs() {
    std::set<std::uint32_t> ids;
    for (const auto& [id, job] : world.slurm().jobs()) {
      if (job.live()) ids.insert(id);
    }
    return ids;
  }
  void nothing_has_changed(const std::set<std::string>& pods, const std::set<std::uint32_t>& jobs) {
    EXPECT_FALSE(world.violation()) << world.violation()->what;
    EXPECT_EQ(bound(), pods);
    EXPECT_EQ(live_jobs(), jobs);
    EXPECT_EQ(world.pods().size(), kRunning + kWaiting);
  }
  // Deletes the running pods; then waiting pods run.
  void the_rest_runs() {
    for (const auto& [uid, pod] : std::map(world.pods())) {
      if (pod.name.starts_with("runs"))
        (void)world.as_user(net::http::Request("DELETE", kPods + "/" + pod.name));
    }
    world.pass(60s);
    EXPECT_FALSE(world.violation()) << world.violation()->what;
    EXPECT_EQ(bound().size(), 3U);
    EXPECT_EQ(live_jobs().size(), kWaiting);
  }

  World world{plan(), World::Record::no};
};

TEST_P(Busy, AMinuteWithoutSlurmrestdChangesNothing) {
  fill();
  const auto pods = bound();
  const auto jobs = live_jobs();
  world.faults().outage(System::slurm, Fault::refused, world.now() + 60s);
  world.pass(90s);
  nothing_has_changed(pods, jobs);
  the_rest_runs();
}

TEST_P(Busy, AMinuteWithoutSlurmctldChangesNothing) {
  fill();
  const auto pods = bound();
  const auto jobs = live_jobs();
  world.faults().outage(System::slurm, Fault::no_controller, world.now() + 60s);
  world.pass(60s);
  world.network().slurm_died();
  world.slurm().restart();
  world.pass(30s);
  nothing_has_changed(pods, jobs);
  the_rest_runs();
}

TEST_P(Busy, WhenSlurmHasLostItsStateNothingIsDeleted) {
  fill();
  const auto pods = bound();
  world.network().slurm_died();
  world.lose_slurm_state();
  world.pass(600s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  const auto now = bound();
  EXPECT_TRUE(std::ranges::includes(now, pods)) << now.size() << " of " << pods.size();
  EXPECT_EQ(world.pods().size(), kRunning + kWaiting);
}

// slurmctld returns with a state that has 1 of 20 jobs. No pod is deleted: first with one known
// job, then with jobs that were submitted later, then after a restart of the bridge, and then after
// users deleted most of the pods with lost jobs.
TEST_P(Busy, WhenSlurmComesBackWithAnOldStateNothingIsDeleted) {
  world.pass(5s);
  create("runs-first", 1);
  world.pass(20s);
  const base::Instant copied = world.now();
  world.pass(5s);
  for (std::size_t i = 1; i < kRunning; ++i) create(fmt::format("runs-{}", i), 1);
  world.pass(10s);
  const auto pods = bound();
  ASSERT_EQ(pods.size(), kRunning);
  const auto all_are_here = [&](std::string_view when) {
    EXPECT_FALSE(world.violation()) << when << ": " << world.violation()->what;
    const auto now = bound();
    EXPECT_TRUE(std::ranges::includes(now, pods)) << when << ": " << now.size();
  };
  world.network().slurm_died();
  world.return_slurm_to(copied);
  world.pass(300s);
  all_are_here("in the beginning");
  EXPECT_EQ(lost(), kRunning - 1);

  for (int i = 0; i < 4; ++i) create(fmt::format("new-{}", i), 1);
  world.pass(300s);
  all_are_here("with others that run");
  EXPECT_GE(bound().size(), kRunning + 3);
  EXPECT_EQ(lost(), kRunning - 1);

  for (const auto& process : world.processes()) world.kill(*process, 60s);
  world.pass(400s);
  all_are_here("after a restart");
  EXPECT_EQ(lost(), kRunning - 1);

  for (std::size_t i = 1; i < kRunning - 1; ++i)
    (void)world.as_user(net::http::Request("DELETE", fmt::format("{}/runs-{}", kPods, i)));
  world.pass(300s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  EXPECT_EQ(lost(), 1U) << "the last pod with a lost job";
}

// The backup does not have the job of one running pod and has all others, as if that job had ended
// and been purged.
TEST_P(Busy, WhenABackupLacksOneJobUntilThePrimaryReturnsNothingIsDeleted) {
  fill();
  const auto pods = bound();
  const auto* last = world.slurm().find(*world.pod_named(kNamespace, "runs-last")->job);
  world.network().slurm_died();
  world.fail_over(last->submitted_at - 1s);
  world.pass(90s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  world.network().slurm_died();
  world.fail_back();
  world.pass(300s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  EXPECT_EQ(bound(), pods);
  EXPECT_EQ(world.pods().size(), kRunning + kWaiting);
  the_rest_runs();
}

// The backup has only one of the jobs. The primary returns when all other pods show LostBySlurm.
TEST_P(Busy, WhenABackupLacksMostJobsUntilThePrimaryReturnsNothingIsDeleted) {
  world.pass(5s);
  create("runs-first", 1);
  world.pass(20s);
  const base::Instant copied = world.now();
  world.pass(5s);
  for (std::size_t i = 1; i < kRunning; ++i) create(fmt::format("runs-{}", i), 1);
  world.pass(10s);
  const auto pods = bound();
  ASSERT_EQ(pods.size(), kRunning);
  const auto jobs = live_jobs();
  world.network().slurm_died();
  world.fail_over(copied);
  world.pass(300s);
  EXPECT_EQ(lost(), kRunning - 1);
  world.network().slurm_died();
  world.fail_back();
  world.pass(300s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  EXPECT_EQ(bound(), pods);
  EXPECT_EQ(live_jobs(), jobs);
  EXPECT_EQ(lost(), 0U) << "pods still show LostBySlurm";
}

TEST_P(Busy, SixMinutesWithoutTheBridgeLoseNoPodAndNoJob) {
  fill();
  const auto pods = bound();
  const auto jobs = live_jobs();
  for (const auto& process : world.processes()) world.kill(*process, 360s);
  world.pass(420s);
  nothing_has_changed(pods, jobs);
  the_rest_runs();
}

TEST_P(Busy, SixMinutesWithoutTheBridgeDoNotHideAJobThatEndedAndWasPurged) {
  fill();
  const std::uint32_t last = *world.pod_named(kNamespace, "runs-last")->job;
  for (const auto& process : world.processes()) world.kill(*process, 400s);
  world.slurm().end(last, "FAILED", "NonZeroExitCode");
  world.pass(600s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  EXPECT_EQ(world.slurm().find(last), nullptr) << "the job was not purged";
  EXPECT_EQ(bound().size(), kRunning - 1);
}

INSTANTIATE_TEST_SUITE_P(Simulation,
                         Busy,
                         ::testing::Values(Topology::one, Topology::two, Topology::separate),
                         [](const auto& info) {
                           std::string text(name(info.param));
                           std::erase_if(text, [](char c) { return std::isalnum(c) == 0; });
                           return text;
                         });

// Calls a function after each read of one job by a bridge process.
class AsksForJob final : public Invariant {
 public:
  using Call = std::function<void(World&)>;
  AsksForJob(const std::uint32_t& job, Call call) : job_(job), call_(std::move(call)) {}
  std::string_view name() const override { return "ask"; }
  std::string_view sentence() const override { return "somebody listens"; }
  void request(World& world, const Request& request) override {
    const std::string path = request.http.target.substr(0, request.http.target.find('?'));
    const std::string single = fmt::format("/job/{}", job_);
    const bool asks = path.ends_with(single) && !path.starts_with("/slurmdb/");
    if (request.http.method == "GET" && asks) call_(world);
  }

 private:
  const std::uint32_t& job_;
  Call call_;
};

// slurmctld loses its state right after a process read the job that it is about to cancel, and
// another user's job gets the id. Slurm has no conditional cancel that would prevent this.
TEST(Simulation, ACancelThatWasDecidedBeforeTheIdWasReusedIsNoViolation) {
  std::uint32_t job = 0;
  bool armed = false;
  Plan plan;
  plan.seed = 1;
  plan.nodes = 1;
  plan.slurm_takes = 7s;
  plan.extra = [&] {
    return std::make_unique<AsksForJob>(job, [&](World& world) {
      if (!std::exchange(armed, false)) return;
      world.later(0ms, [&world] {
        world.lose_slurm_state();
        models::slurm::SlurmJob somebody;
        somebody.name = "somebody";
        somebody.user = "slurm";
        somebody.partition = "slurm-bridge";
        somebody.external = true;
        (void)world.slurm().submit(somebody);
      });
    });
  };
  World world(plan, World::Record::no);
  world.pass(30s);
  create_sharing(world, "pod", 1, kScheduler);
  world.pass(60s);
  ASSERT_TRUE(world.pod_named(kNamespace, "pod")->bound());
  job = *world.pod_named(kNamespace, "pod")->job;
  ASSERT_EQ(job, 1U);
  (void)world.as_user(net::http::Request("DELETE", kPods + "/pod"));
  // The kubelet ends the pod, and the process reads the job to release it.
  for (int i = 0; i < 600 && !world.pod_named(kNamespace, "pod")->ended(); ++i) world.pass(100ms);
  ASSERT_TRUE(world.pod_named(kNamespace, "pod")->ended());
  armed = true;
  world.pass(30s);
  EXPECT_FALSE(armed);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  const models::slurm::SlurmJob* other = world.slurm().find(1);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->name, "somebody");
  EXPECT_FALSE(other->live()) << "the cancel was not sent after the id was reused";
}

// The backup slurmctld gives the id of the first pod's job to the job of a pod that is bound right
// before the primary returns. That pod may be left alone (docs/reliability.md).
TEST(Simulation, APodThatIsBoundRightBeforeAFailbackMayBeLeftAlone) {
  constexpr std::uint64_t kAMinuteAgo = 57;
  constexpr std::uint64_t kForTwentySeconds = 18;
  Plan plan;
  plan.seed = 1;
  plan.nodes = 2;
  plan.steps.push_back({3s, action("create a pod that never ends"), {0, 0, 1, 0}});
  plan.steps.push_back({10s,
                        action("a backup slurmctld has an old state for a while"),
                        {kAMinuteAgo, kForTwentySeconds, 0, 0}});
  plan.steps.push_back({28s, action("create a pod that never ends"), {1, 0, 1, 0}});
  World world(plan, World::Record::no);
  const auto violation = world.run();
  EXPECT_FALSE(violation) << violation->what;
}

// The result for a pod whose job a backup slurmctld does not have, if the primary returns right
// after the n-th read of the job, counted from the time when the pod may be deleted.
enum class Fate { not_asked, lives, deleted };
Fate fate_if_the_primary_returns(int ask) {
  std::uint32_t job = 0;
  bool armed = false;
  bool returned = false;
  Plan plan;
  plan.seed = 1;
  plan.nodes = 2;
  plan.extra = [&] {
    return std::make_unique<AsksForJob>(job, [&](World& world) {
      if (!armed || returned || ask-- > 0) return;
      returned = true;
      world.later(0ms, [&world] { world.fail_back(); });
    });
  };
  World world(plan, World::Record::no);
  world.pass(5s);
  for (int i = 0; i < 4; ++i) create_sharing(world, fmt::format("older-{}", i), 1, kScheduler);
  world.pass(20s);
  const base::Instant copied = world.now();
  world.pass(2s);
  create_sharing(world, "pod", 1, kScheduler);
  world.pass(20s);
  job = *world.pod_named(kNamespace, "pod")->job;
  world.network().slurm_died();
  world.fail_over(copied);
  world.pass(115s);
  EXPECT_FALSE(world.violation()) << world.violation()->what;
  armed = true;
  world.pass(120s);
  const PodTruth* pod = world.pod_named(kNamespace, "pod");
  const bool lives = pod != nullptr && !pod->deleting && pod->bound();
  if (returned && lives) EXPECT_FALSE(world.violation()) << world.violation()->what;
  if (!returned) EXPECT_FALSE(lives) << "the job was not read and the pod was not deleted";
  return !returned ? Fate::not_asked : lives ? Fate::lives : Fate::deleted;
}

// Slurm has no transactions: only a return after the last read before the delete may come too late.
TEST(Simulation, APrimaryThatReturnsBeforeTheLastReadSavesThePod) {
  std::vector<Fate> fates;
  for (int ask = 0; ask < 20; ++ask) {
    fates.push_back(fate_if_the_primary_returns(ask));
    if (fates.back() == Fate::not_asked) break;
  }
  EXPECT_EQ(fates.back(), Fate::not_asked);
  EXPECT_LE(std::ranges::count(fates, Fate::deleted), 1);
  EXPECT_GE(std::ranges::count(fates, Fate::lives), 1);
}

TEST(Simulation, ASeedRepeatsItsHistoryExactly) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const History first = live(make_plan(seed), World::Record::yes);
    const History second = live(make_plan(seed), World::Record::yes);
    EXPECT_EQ(first.timeline, second.timeline) << "seed " << seed;
    EXPECT_EQ(first.requests, second.requests);
  }
}

TEST(Simulation, RecordingAHistoryDoesNotChangeIt) {
  const History plain = live(make_plan(11));
  const History recorded = live(make_plan(11), World::Record::yes);
  EXPECT_EQ(plain.requests, recorded.requests);
  EXPECT_EQ(plain.ended, recorded.ended);
}

// An invariant that the bridge does not guarantee, to test that a violation is found and reported.
class NobodyDeletesPods final : public Invariant {
 public:
  std::string_view name() const override { return "I99"; }
  std::string_view sentence() const override { return "nobody deletes pods"; }
  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (before != nullptr && !before->deleting && (after == nullptr || after->deleting))
      world.broken(*this, before->full_name() + " is deleted");
  }
};

TEST(Simulation, AViolationShrinksToTheStepsThatCauseIt) {
  Plan plan = make_plan(1);
  plan.extra = [] { return std::make_unique<NobodyDeletesPods>(); };
  for (std::uint64_t seed = 1; !live(plan).violation; ++seed) {
    ASSERT_LT(seed, 50U);
    const auto extra = plan.extra;
    plan = make_plan(seed);
    plan.extra = extra;
  }
  const Shrunk shrunk = shrink(plan, "I99");
  ASSERT_TRUE(shrunk.history.violation);
  EXPECT_EQ(shrunk.history.violation->invariant, "I99");
  EXPECT_LE(shrunk.plan.steps.size(), 3U);
  const std::string text = report(plan, shrunk);
  EXPECT_NE(text.find("nobody deletes pods"), std::string::npos) << text;
  EXPECT_NE(text.find("creates pod"), std::string::npos) << text;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// tests/e2e/t0450_histories.py plays the same histories on real servers.
TEST(Histories, OnTheModelsEachWrittenHistoryGivesItsWrittenStates) {
  int played = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(in_source_tree("tests/sim/histories"))) {
    if (entry.path().extension() != ".history") continue;
    const std::string text = text_of(entry.path());
    const auto seen = play(text);
    ASSERT_TRUE(seen.ok()) << entry.path() << ": " << seen.error().message();
    EXPECT_EQ(*seen, text) << entry.path();
    ++played;
  }
  EXPECT_GE(played, 12);
}

TEST(Histories, TheStatesUnderAStepAreReplacedByTheObservedStates) {
  const auto seen = play("# a comment\n\ncreate a exclusive=false\n    a: gone; no job\n");
  ASSERT_TRUE(seen.ok()) << seen.error().message();
  EXPECT_EQ(*seen,
            "# a comment\n\ncreate a exclusive=false\n"
            "    a: Running bound labelled finalizer; job RUNNING\n");
}

TEST(Histories, AnUnknownStepIsAnError) {
  const auto seen = play("ponder a\n");
  ASSERT_FALSE(seen.ok());
  EXPECT_NE(seen.error().message().find("no such step: ponder a"), std::string::npos);
}

}  // namespace
}  // namespace sim
