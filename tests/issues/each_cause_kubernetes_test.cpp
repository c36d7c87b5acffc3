// SPDX-License-Identifier: Apache-2.0
// The lines of the table of causes that originate in Kubernetes: nodes, permissions, webhooks.
#include "each_cause.h"

namespace issues {
namespace {

std::string path_of(const std::string& pod) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", sim::kNamespace, pod);
}

struct EachCauseOfKubernetes : EachCause {
  // Both nodes of its partition are cordoned after its latest job has started there and before the
  // API server accepts the bind.
  void is_cordoned_before_the_bind(const std::string& pod) {
    small.world.faults().outage(
        sim::System::kube, sim::Fault::failed, small.world.now() + 1h, "/binding");
    cordon(false);
    EXPECT_TRUE(small.until(
        [&] { return !small.jobs(pod).empty() && small.jobs(pod).back().state == "RUNNING"; },
        60s));
    cordon(true);
    small.pass(1s);
    small.world.faults().clear();
    EXPECT_FALSE(small.bound(pod));
  }
  void cordon(bool on) {
    for (const char* node : {"n0", "n1"})
      small.patch(std::string("/api/v1/nodes/") + node,
                  json::Object{{"spec", json::Object{{"unschedulable", on}}}});
  }
  // A pod of an existing Job.
  void create_owned(const std::string& pod) {
    const std::string jobs = fmt::format("/apis/batch/v1/namespaces/{}/jobs", sim::kNamespace);
    const json::Object container{{"name", "c"}, {"image", "i"}};
    const json::Object spec{{"schedulerName", sim::kScheduler},
                            {"restartPolicy", "Never"},
                            {"containers", json::Array{container}}};
    const json::Value job =
        json::Object{{"metadata", json::Object{{"name", "train"}}},
                     {"spec", json::Object{{"template", json::Object{{"spec", spec}}}}}};
    small.post(jobs, job.dump());
    const json::Value* made =
        small.world.kube().find({"jobs", std::string(sim::kNamespace), "train"});
    ASSERT_NE(made, nullptr);
    const json::Object owner{{"apiVersion", "batch/v1"},
                             {"kind", "Job"},
                             {"name", "train"},
                             {"uid", sim::text_at(*made, {"metadata", "uid"})},
                             {"controller", true}};
    const json::Value body = json::Object{
        {"metadata", json::Object{{"name", pod}, {"ownerReferences", json::Array{owner}}}},
        {"spec", spec}};
    small.post(fmt::format("/api/v1/namespaces/{}/pods", sim::kNamespace), body.dump());
  }
  void forbid(const std::string& part, base::Duration lasting) {
    small.world.faults().outage(
        sim::System::kube, sim::Fault::forbidden, small.world.now() + lasting, part);
  }
  // A foreign webhook denies changes of the pod itself, but not of its status.
  void forbid_changes_of(const std::string& pod, base::Duration lasting) {
    small.world.faults().outage_of(sim::System::kube,
                                   sim::Fault::forbidden,
                                   small.world.now() + lasting,
                                   [path = path_of(pod)](const net::http::Request& request) {
                                     return request.method == "PATCH" && request.target == path;
                                   });
  }
  std::string message(const std::string& pod) { return small.pod(pod)->scheduled_message; }
};

TEST_F(EachCauseOfKubernetes, APodWhoseNodeIsCordonedBeforeTheBindIsHeldWithAReason) {
  small.create("a", {{"partition", "small"}});
  is_cordoned_before_the_bind("a");
  says("a", Cause::node_cannot);
  const std::uint32_t first = job_of("a");
  EXPECT_FALSE(small.bound("a"));
  cordon(false);
  runs("a");
  EXPECT_EQ(job_of("a"), first);
}

TEST_F(EachCauseOfKubernetes, ReleasedNodesAreReportedFromTheSecondTimeOn) {
  small.create("a", {{"partition", "small"}});
  is_cordoned_before_the_bind("a");
  EXPECT_TRUE(small.until([&] { return small.jobs("a").size() == 2; }, 3min));
  EXPECT_NE(small.pod("a")->scheduled_reason, bridge::writes::line_of(Cause::node_never).reason);
  is_cordoned_before_the_bind("a");
  says("a", Cause::node_never, 3min);
  EXPECT_TRUE(message("a").contains("number 2 in a row")) << message("a");
  EXPECT_EQ(live_jobs("a"), 0U);
}

TEST_F(EachCauseOfKubernetes, AnUnreadableOwnerIsNamedWithTheMissingPermission) {
  forbid("/jobs/train", 60s);
  create_owned("a");
  small.pass(8s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "") << "the cause may be transient";
  says("a", Cause::owner_unreadable);
  EXPECT_TRUE(message("a").contains("Job work/train")) << message("a");
  EXPECT_TRUE(message("a").contains("the right to get every Job of batch/v1")) << message("a");
  EXPECT_TRUE(small.jobs("a").empty());
  runs("a", 2min);
}

TEST_F(EachCauseOfKubernetes, ARefusedLabelIsReportedAndItsJobDoesNotHoldANodeForever) {
  forbid_changes_of("a", 5min);
  small.create("a", {{"exclusive", "false"}});
  small.pass(8s);
  EXPECT_EQ(small.pod("a")->scheduled_reason, "") << "the cause may be transient";
  says("a", Cause::write_refused, 60s);
  EXPECT_TRUE(message("a").contains("(label): patch pods work/a: injected")) << message("a");
  const std::uint32_t first = job_of("a");
  EXPECT_TRUE(small.until([&] { return !small.world.slurm().find(first)->live(); }, 4min));
  EXPECT_LE(small.jobs("a").size(), 2U);
  runs("a", 10min);
  EXPECT_EQ(live_jobs("a"), 1U);
}

TEST_F(EachCauseOfKubernetes, ARefusedBindIsReportedAndItsNodeIsReleased) {
  forbid("/binding", 5min);
  small.create("a", {{"partition", "small"}, {"exclusive", "false"}});
  says("a", Cause::write_refused, 60s);
  EXPECT_TRUE(message("a").contains("(bind): create binding of pods work/a: injected"))
      << message("a");
  const std::uint32_t first = job_of("a");
  EXPECT_TRUE(small.until([&] { return !small.world.slurm().find(first)->live(); }, 3min))
      << "the job of a pod that cannot be bound holds its node";
  runs("a", 15min);
  EXPECT_EQ(live_jobs("a"), 1U);
  EXPECT_EQ(small.pod("a")->node, "n0") << "the node was not the cause";
}

TEST_F(EachCauseOfKubernetes, ABindThatIsRefusedForAShortWhileKeepsItsJob) {
  forbid("/binding", 60s);
  small.create("a", {{"exclusive", "false"}});
  runs("a", 3min);
  EXPECT_EQ(small.jobs("a").size(), 1U);
}

// Longer than anything is held: nothing was refused.
TEST_F(EachCauseOfKubernetes, AnOutageOfTheApiServerCostsNoJob) {
  using sim::Fault;
  for (const Fault fault : {Fault::refused,
                            Fault::failed,
                            Fault::busy,
                            Fault::lost_before,
                            Fault::bad_gateway,
                            Fault::bad_token}) {
    const std::string pod = fmt::format("a-{}", static_cast<int>(fault));
    small.world.faults().outage(sim::System::kube, fault, small.world.now() + 6min, "/binding");
    small.create(pod, {{"exclusive", "false"}});
    small.pass(6min);
    EXPECT_FALSE(small.bound(pod)) << name(fault);
    runs(pod, 2min);
    EXPECT_EQ(small.jobs(pod).size(), 1U) << name(fault);
  }
}

}  // namespace
}  // namespace issues
