// SPDX-License-Identifier: Apache-2.0
// Each line of the table of causes (src/bridge/writes/causes.cpp, docs/scheduling.md), executed by
// the whole bridge: what the pod shows, and what happens next.
#include "each_cause.h"

#include "base/ascii.h"

namespace issues {
namespace {

TEST_F(EachCause, AnInvalidRequestIsNotSubmittedUntilItIsFixed) {
  small.create("a", {{"timelimit", "2h"}});
  says("a", Cause::bad_request);
  small.pass(10min);
  EXPECT_TRUE(small.jobs("a").empty());
  small.ask("a", "timelimit", "120");
  runs("a");
}

// It bypassed admission. Nothing would reserve the claim, and the kubelet would wait for it on a
// node that is held for the pod.
TEST_F(EachCause, APodWithDeviceClaimsIsNeverSubmitted) {
  const json::Object claim{{"name", "gpu"}, {"resourceClaimName", "mine"}};
  small.create("a", {}, {{"resourceClaims", json::Array{claim}}});
  says("a", Cause::bad_request);
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("spec.resourceClaims"));
  small.pass(2min);
  EXPECT_TRUE(small.jobs("a").empty());
  EXPECT_FALSE(small.bound("a"));
}

// They came past admission. Ignored, they would run, but not as their authors wrote them.
TEST_F(EachCause, AnUnsupportedRequestIsNeverSubmittedAndHasAReason) {
  const json::Object required{
      {"requiredDuringSchedulingIgnoredDuringExecution",
       json::Array{json::Object{{"topologyKey", "kubernetes.io/hostname"}}}}};
  const json::Object device{
      {"name", "c"},
      {"image", "i"},
      {"resources",
       json::Object{
           {"limits", json::Object{{"deviceclass.resource.kubernetes.io/gpu.nvidia.com", "1"}}}}}};
  small.create("apart", {}, {{"affinity", json::Object{{"podAntiAffinity", required}}}});
  small.create("near", {}, {{"affinity", json::Object{{"podAffinity", required}}}});
  small.create("devices", {}, {{"containers", json::Array{device}}});
  small.create("group", {}, {{"schedulingGroup", json::Object{{"podGroupName", "gang"}}}});
  small.create("vague", {{"exclusive", "maybe"}});
  for (const char* name : {"apart", "near", "devices", "group"}) says(name, Cause::unsupported);
  says("vague", Cause::bad_request);
  small.pass(2min);
  for (const char* name : {"apart", "near", "devices", "group", "vague"}) {
    EXPECT_TRUE(small.jobs(name).empty()) << name;
    EXPECT_FALSE(small.bound(name)) << name;
  }
}

// No node lists it as allocatable: a DRA driver would allocate it.
TEST_F(EachCause, AnExtendedResourceThatOnlyDraProvidesIsNamedWithItsDeviceClass) {
  const json::Value device_class =
      json::Object{{"metadata", json::Object{{"name", "fast-gpu"}}},
                   {"spec", json::Object{{"extendedResourceName", "example.com/gpu"}}}};
  small.post("/apis/resource.k8s.io/v1/deviceclasses", device_class.dump());
  const json::Object container{
      {"name", "c"},
      {"image", "i"},
      {"resources",
       json::Object{{"limits", json::Object{{"example.com/gpu", "1"}}},
                    {"requests", json::Object{{"example.com/gpu", "1"}}}}}};
  small.create("a", {}, {{"containers", json::Array{container}}});
  says("a", Cause::no_node_fits);
  EXPECT_TRUE(small.pod("a")->scheduled_message.contains("DRA by DeviceClass fast-gpu"))
      << small.pod("a")->scheduled_message;
}

// The label can be changed, unlike the other requests.
TEST_F(EachCause, AMemberOfACoschedulingGroupIsSubmittedOnceItIsNoMember) {
  const std::string path = fmt::format("/api/v1/namespaces/{}/pods/a", sim::kNamespace);
  const auto member_of = [](const json::Value& group) {
    return json::Object{
        {"metadata",
         json::Object{{"labels", json::Object{{"scheduling.x-k8s.io/pod-group", group}}}}}};
  };
  small.create("a", {}, {{"schedulingGates", json::Array{json::Object{{"name", "wait"}}}}});
  small.patch(path, member_of("gang"));
  small.patch(path, json::Object{{"spec", json::Object{{"schedulingGates", nullptr}}}});
  says("a", Cause::unsupported);
  EXPECT_TRUE(small.jobs("a").empty());
  small.patch(path, member_of(nullptr));
  runs("a");
}

// A misspelt annotation does not stop the pod, and nobody repeats the warning.
TEST_F(EachCause, AnAnnotationWithoutEffectIsReportedByOneEvent) {
  small.create("a", {{"time-limit", "5"}});
  runs("a");
  small.pass(5min);
  EXPECT_EQ(events("AnnotationIgnored"), 1);
}

TEST_F(EachCause, ARefusedJobIsSubmittedAgainOnceAMinuteAndAtOnceAfterAChange) {
  small.create("a", {{"partition", "nowhere"}});
  const std::size_t before = small.calls("/job/submit");
  says("a", Cause::refused);
  small.pass(10min);
  EXPECT_GE(small.calls("/job/submit") - before, 9U);
  EXPECT_LE(small.calls("/job/submit") - before, 11U);
  small.ask("a", "partition", nullptr);
  runs("a", 5s);
}

TEST_F(EachCause, NoNodeFitsIsNotSubmittedUntilANodeChanges) {
  small.create("a", {}, {{"nodeSelector", json::Object{{"rock", "diamond"}}}});
  says("a", Cause::no_node_fits);
  small.pass(10min);
  EXPECT_TRUE(small.jobs("a").empty());
  small.patch(
      "/api/v1/nodes/n4",
      json::Object{{"metadata", json::Object{{"labels", json::Object{{"rock", "diamond"}}}}}});
  runs("a");
  EXPECT_EQ(small.jobs("a").back().nodes, std::vector<std::string>{"n4"});
}

TEST_F(EachCause, AWaitingPodKeepsItsJob) {
  waits_behind_somebody("a");
  small.pass(10min);
  somebody_goes();
  runs("a");
  EXPECT_EQ(small.jobs("a").size(), 1U);
}

TEST_F(EachCause, AMissingClaimIsReportedAndReadAgainWithoutAJob) {
  small.create(
      "a",
      {},
      {{"volumes",
        json::Array{json::Object{
            {"name", "data"}, {"persistentVolumeClaim", json::Object{{"claimName", "data"}}}}}}});
  says("a", Cause::volumes_missing);
  const std::size_t before = small.calls("/persistentvolumeclaims/data");
  small.pass(10min);
  EXPECT_TRUE(small.jobs("a").empty());
  EXPECT_GT(small.calls("/persistentvolumeclaims/data"), before);
  EXPECT_LE(small.calls("/persistentvolumeclaims/data"), before + 70);
}

// Its node is deleted in Kubernetes, and somebody lets Slurm use it nevertheless.
TEST_F(EachCause, APodOnAnUnknownNodeIsHeldAndThenSubmittedAgain) {
  waits_behind_somebody("a");
  for (const char* node : {"n0", "n1"})
    (void)small.world.as_user({"DELETE", std::string("/api/v1/nodes/") + node, ""});
  small.pass(5s);
  for (const char* node : {"n0", "n1"}) small.world.slurm().undrain(node);
  somebody_goes();
  says("a", Cause::node_unknown);
  const std::uint32_t first = job_of("a");
  EXPECT_TRUE(small.until([&] { return !small.world.slurm().find(first)->live(); }, 3min));
  EXPECT_FALSE(small.bound("a"));
  for (const char* node : {"n0", "n1"}) small.world.add_node(node);
  runs("a", 15min);  // a released node is excluded for ten minutes
}

// Somebody else's pods took the room after the job was made: Slurm knows nothing of them.
TEST_F(EachCause, ANodeThatCanNeverRunThePodIsReleased) {
  waits_behind_somebody("a");
  for (const char* node : {"n0", "n1"}) small.create_foreign(node, "8");
  somebody_goes();
  says("a", Cause::no_node_fits, 60s);
  small.pass(60s);
  EXPECT_EQ(live_jobs("a"), 0U) << "a job holds a node that its pod can never use";
  EXPECT_FALSE(small.bound("a"));
}

TEST_F(EachCause, AJobThatEndedBeforeTheBindIsReplaced) {
  for (const char* state : {"FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "DEADLINE"}) {
    const std::string name = "a-" + base::ascii_lower(state[0] == 'N' ? "node" : state);
    waits_behind_somebody(name);
    const std::uint32_t first = job_of(name);
    EXPECT_TRUE(small.world.slurm().end(first, state, "None")) << state;
    EXPECT_TRUE(small.until([&] { return small.jobs(name).size() == 2; }, 30s)) << state;
    somebody_goes();
    runs(name);
    EXPECT_EQ(live_jobs(name), 1U) << state;
    small.remove(name);
    small.pass(60s);
  }
}

TEST_F(EachCause, ALabelWithAForeignJobIsRemovedAndThatJobIsNotChanged) {
  waits_behind_somebody("a");
  small.patch(
      fmt::format("/api/v1/namespaces/{}/pods/a", sim::kNamespace),
      json::Object{
          {"metadata",
           json::Object{
               {"labels", json::Object{{workload::kJobIdLabel, std::to_string(somebody)}}}}}});
  EXPECT_TRUE(small.until([&] { return small.pod("a")->job != somebody; }, 30s));
  EXPECT_TRUE(small.world.slurm().find(somebody)->live());
  somebody_goes();
  runs("a");
  EXPECT_TRUE(small.until([&] { return live_jobs("a") == 1; }, 2min)) << "there is a surplus job";
  EXPECT_FALSE(small.ending("a"));
}

TEST_F(EachCause, AJobUnknownToSlurmOfAnUnboundPodIsReplaced) {
  small.create("b", {{"exclusive", "false"}});  // proves that Slurm did not lose everything
  runs("b");
  small.pass(10s);
  const base::Instant saved = small.world.now();
  small.pass(1s);
  waits_behind_somebody("a");
  small.world.slurm().restart_losing(saved);
  EXPECT_TRUE(small.until([&] { return small.bound("a"); }, 2min));
  EXPECT_EQ(live_jobs("a"), 1U);
  EXPECT_TRUE(small.bound("b") && !small.ending("b"));
}

TEST_F(EachCause, ACancelledJobDeletesItsWaitingPod) {
  waits_behind_somebody("a");
  small.world.slurm().end(job_of("a"), "CANCELLED", "None");
  EXPECT_TRUE(small.until([&] { return small.ending("a"); }, 10s));
  EXPECT_EQ(small.jobs("a").size(), 1U);
}

TEST_F(EachCause, AFailedWriteIsRetried) {
  for (const sim::Fault fault : {sim::Fault::failed, sim::Fault::lost_after, sim::Fault::busy}) {
    const std::string pod = fmt::format("a-{}", static_cast<int>(fault));
    small.create(pod, {{"exclusive", "false"}});
    small.world.faults().outage(sim::System::kube, fault, small.world.now() + 20s);
    small.pass(25s);
    runs(pod);
    EXPECT_EQ(live_jobs(pod), 1U) << name(fault);
  }
}

TEST_F(EachCause, AnOutageOfSlurmIsReportedAndThePodContinuesAfterwards) {
  for (const sim::Fault fault :
       {sim::Fault::refused, sim::Fault::bad_gateway, sim::Fault::busy, sim::Fault::bad_token}) {
    const std::string pod = fmt::format("a-{}", static_cast<int>(fault));
    small.world.faults().outage(sim::System::slurm, fault, small.world.now() + 90s);
    small.create(pod, {{"exclusive", "false"}});
    small.pass(8s);
    EXPECT_EQ(small.pod(pod)->scheduled_reason, "") << name(fault) << " may be transient";
    says(pod, Cause::slurm_unreachable, 60s);
    EXPECT_FALSE(small.bound(pod));
    runs(pod, 3min);
    EXPECT_EQ(live_jobs(pod), 1U) << name(fault);
  }
}

// Submits wait for the list of nodes, and it is a long answer: the first to be cut on a bad line.
TEST_F(EachCause, AMissingNodeListOfSlurmIsReportedToo) {
  small.world.faults().outage(
      sim::System::slurm, sim::Fault::half_answered, small.world.now() + 90s, "/nodes/");
  small.world.processes().front()->kill();
  small.world.processes().front()->start(2);
  small.pass(5s);
  small.create("a", {{"exclusive", "false"}});
  says("a", Cause::slurm_unreachable, 60s);
  EXPECT_EQ(live_jobs("a"), 0U);
  runs("a", 3min);
  EXPECT_EQ(live_jobs("a"), 1U);
}

TEST_F(EachCause, AJobThatSlurmDoesNotConfirmIsReportedAndThePodIsBoundAfterwards) {
  small.world.faults().outage_of(
      sim::System::slurm,
      sim::Fault::bad_gateway,
      small.world.now() + 60s,
      [](const net::http::Request& r) { return r.method == "GET" && r.target.contains("/job/"); });
  small.create("a", {{"exclusive", "false"}});
  small.pass(8s);
  EXPECT_EQ(live_jobs("a"), 1U);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "");  // most answers come quickly
  says("a", Cause::job_unconfirmed, 20s);
  EXPECT_FALSE(small.bound("a"));
  runs("a", 90s);
  EXPECT_EQ(live_jobs("a"), 1U);
}

// A node that ends every job, or a limit that nobody thought of: no thousand jobs an hour.
TEST_F(EachCause, JobsThatEndRepeatedlyAreSubmittedWithIncreasingDelayAndReported) {
  waits_behind_somebody("a");
  const std::size_t before = small.calls("/job/submit");
  const base::Instant end = small.world.now() + 10min;
  while (small.world.now() < end) {
    for (const models::slurm::SlurmJob& job : small.jobs("a"))
      if (job.live()) (void)small.world.slurm().end(job.id, "NODE_FAIL", "None");
    small.pass(100ms);
  }
  EXPECT_GE(small.calls("/job/submit") - before, 5U);
  EXPECT_LE(small.calls("/job/submit") - before, 12U);
  says("a", Cause::job_ended, 1s);
  somebody_goes();
  runs("a", 6min);
}

TEST_F(EachCause, PodsWithTheSameRefusedRequestSubmitOnceAMinuteTogether) {
  constexpr int kMany = 300;
  for (int i = 0; i < kMany; ++i) small.create(fmt::format("a{}", i), {{"partition", "nowhere"}});
  for (const char* pod : {"a0", "a299"}) says(pod, Cause::refused);
  small.pass(1min);
  const std::size_t before = small.calls("/job/submit");
  small.pass(10min);
  EXPECT_GE(small.calls("/job/submit") - before, 9U);
  EXPECT_LE(small.calls("/job/submit") - before, 11U);
}

// At a limit on their number a place that becomes free is for the next few, not for all to ask.
TEST_F(EachCause, PodsAtALimitFillFreePlacesWithFewAdditionalSubmits) {
  constexpr int kMany = 300;
  constexpr std::size_t kFree = 5;
  models::slurm::SlurmCluster& slurm = small.world.slurm();
  slurm.set_max_jobs(slurm.jobs().size());
  for (int i = 0; i < kMany; ++i) small.create(fmt::format("a{}", i));
  for (const char* pod : {"a0", "a299"}) says(pod, Cause::limit_reached);
  small.pass(30s);
  const std::size_t before = small.calls("/job/submit");
  const std::size_t jobs = slurm.jobs().size();
  slurm.set_max_jobs(jobs + kFree);
  EXPECT_TRUE(small.until([&] { return slurm.jobs().size() == jobs + kFree; }, 15s));
  small.pass(1s);
  EXPECT_LE(small.calls("/job/submit") - before, 2 * kFree + 2);

  slurm.set_max_jobs(models::slurm::SlurmOptions().max_jobs);
  EXPECT_TRUE(small.until([&] { return slurm.jobs().size() >= jobs + kMany; }, 20s));
}

// The API server takes its time to tell of the claim, and the job ends meanwhile: whenever that is,
// the pod is not bound under it.
TEST(WhileVolumesAreRead, AJobThatEndsDoesNotCauseABind) {
  int ended_before_the_bind = 0;
  for (int tenths = 5; tenths < 60; tenths += 5) {
    SmallWorld small;
    const std::uint32_t somebody = small.fill("small", 2);
    small.post(fmt::format("/api/v1/namespaces/{}/persistentvolumeclaims", sim::kNamespace),
               R"({"metadata":{"name":"data"},"spec":{"storageClassName":"local",)"
               R"("accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})");
    small.post(
        "/api/v1/persistentvolumes",
        fmt::format(R"({{"metadata":{{"name":"pv"}},"spec":{{"storageClassName":"local",)"
                    R"("capacity":{{"storage":"1Gi"}},"accessModes":["ReadWriteOnce"],)"
                    R"("claimRef":{{"namespace":"{}","name":"data"}},"nodeAffinity":{{"required":)"
                    R"({{"nodeSelectorTerms":[{{"matchExpressions":[{{"operator":"In",)"
                    R"("key":"kubernetes.io/hostname","values":["n0"]}}]}}]}}}}}}}})",
                    sim::kNamespace));
    small.pass(10s);
    small.create(
        "a",
        {{"partition", "small"}},
        {{"volumes",
          json::Array{json::Object{
              {"name", "data"}, {"persistentVolumeClaim", json::Object{{"claimName", "data"}}}}}}});
    ASSERT_TRUE(small.until([&] { return small.pod("a")->job.has_value(); }, 20s));
    small.pass(20s);
    const std::uint32_t job = *small.pod("a")->job;
    small.world.faults().outage(
        sim::System::kube, sim::Fault::slow, small.world.now() + 30s, "/persistentvolumeclaims/");
    small.world.slurm().end(somebody, "COMPLETED", "None");
    ASSERT_TRUE(small.until([&] { return small.world.slurm().find(job)->state == "RUNNING"; }, 5s));
    small.pass(100ms * tenths);
    ASSERT_TRUE(small.world.slurm().end(job, "NODE_FAIL", "None"));
    small.pass(2s);  // until the end can be known
    if (small.bound("a")) continue;
    ++ended_before_the_bind;
    EXPECT_FALSE(small.until([&] { return small.bound("a") && small.pod("a")->job == job; }, 1min))
        << "bound under a job that ended " << tenths << " tenths of a second after its start";
  }
  EXPECT_GT(ended_before_the_bind, 5) << "the answers came too fast for this test";
}

// A running pod requests its own node again, which Slurm no longer has: pods that may run elsewhere
// are not affected.
TEST_F(EachCause, WhatIsRefusedOnOneNodeIsNotRefusedElsewhere) {
  small.create("a", {{"exclusive", "false"}});
  runs("a");
  small.world.lose_slurm_state();
  small.pass(30s);
  net::http::Request remove(
      "DELETE", slurm::testing::api_path("/node/") + small.pod("a")->node, "");
  remove.headers = {{"X-SLURM-USER-TOKEN", "t"}};
  ASSERT_EQ(small.world.slurm().handle(remove).status, 200);
  const std::size_t before = small.calls("/job/submit");
  small.patch(
      fmt::format("/api/v1/namespaces/{}/pods/a", sim::kNamespace),
      json::Object{{"metadata",
                    json::Object{{"annotations",
                                  json::Object{{workload::kReserveAgainAnnotation, "true"}}}}}});
  ASSERT_TRUE(small.until([&] { return small.calls("/job/submit") > before; }, 30s));
  small.pass(1s);
  small.create("b", {{"exclusive", "false"}});
  runs("b", 20s);
}

// An administrator gave its job two nodes, or the pod requested them.
TEST_F(EachCause, AJobWithTwoNodesRunsItsPodOnTheFirst) {
  waits_behind_somebody("a");
  net::http::Request more("POST",
                          slurm::testing::api_path(fmt::format("/job/{}", job_of("a"))),
                          R"({"minimum_nodes":2,"maximum_nodes":2,"nodes":"2"})");
  more.headers = {{"X-SLURM-USER-TOKEN", "t"}, {"Content-Type", "application/json"}};
  ASSERT_EQ(small.world.slurm().handle(more).status, 200);
  somebody_goes();
  runs("a");
  EXPECT_EQ(small.jobs("a").size(), 1U);
  EXPECT_EQ(small.jobs("a").front().nodes.size(), 2U);
  EXPECT_EQ(small.pod("a")->node, "n0");
}

// The pod's author may leave the choice between partitions to Slurm.
TEST_F(EachCause, NodesOfSeveralPartitionsThatCannotRunThePodAreExcluded) {
  for (const char* node : {"n0", "n1"}) small.create_foreign(node, "8");
  small.pass(2s);
  small.create("a", {{"partition", "small,small"}});
  says("a", Cause::no_node_fits);
  EXPECT_TRUE(small.jobs("a").empty());
}

}  // namespace
}  // namespace issues
