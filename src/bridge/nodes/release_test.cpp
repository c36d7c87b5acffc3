// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/release.h"

#include "bridge/nodes/step_text.h"
#include "bridge/testing/nodes.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

namespace bridge::nodes {
namespace {

using namespace testing;
using slurm::testing::answer;
using slurm::testing::finish;
using slurm::testing::ScriptedTransport;

const ReleaseOptions kOptions{"cluster-1", "slurm-bridge-scheduler", false};
const ReleaseOptions kUnregister{"cluster-1", "slurm-bridge-scheduler", true};
constexpr const char* kOurs = "slurm-bridge: Kubernetes node (k8s-1) is NotReady";

std::string text_of(const NodeReleasePlan& release) {
  std::string text;
  for (const NodeStep& step : release.steps) text += std::string(step_name(step)) + "; ";
  for (const std::string& left : release.left) text += left + "; ";
  return text;
}

kube::Node with(bool cordoned, const char* note, const char* taint) {
  kube::Node node = kube_node();
  node.spec.unschedulable = cordoned;
  if (note != nullptr) node.metadata.annotations[workload::kDrainReason] = note;
  if (taint != nullptr) node.spec.taints = {managed_taint(taint)};
  return node;
}

TEST(NodeRelease, TakesBackWhatIsOursAndNothingElse) {
  const kube::Node ours = with(true, "fan", "slurm-bridge-scheduler");
  const kube::Node lifted = with(false, "fan", nullptr);
  kube::Node his_own = with(true, "fan", nullptr);
  his_own.cordoned_by = {"kubectl-cordon"};
  const kube::Node humans = with(true, nullptr, "another-scheduler");
  const slurm::Node drained = slurm_node({"IDLE", "DRAIN"}, kOurs);
  const slurm::Node fan = slurm_node({"IDLE", "DRAIN"}, "fan");
  const slurm::Node open = slurm_node();
  const slurm::Node forgotten = slurm_node({"IDLE"}, kOurs);
  slurm::Node anothers = made_node({"IDLE", "DRAIN"}, kOurs);
  anothers.comment = mark_text({"cluster-2", "k8s-1", 16, 65536});
  const struct {
    const char* what;
    const kube::Node* kube;
    const slurm::Node* slurm;
    const char* want;
  } kRows[] = {
      {"all of it", &ours, &drained, "undrain; uncordon; untaint; "},
      {"an administrator removed our cordon", &lifted, &open, "forget cordon; "},
      {"and set their own", &his_own, &open, "forget cordon; "},
      {"a human's cordon, another bridge's taint, a human's drain", &humans, &fan, ""},
      {"our reason without a drain", &humans, &forgotten, ""},
      {"a node that another cluster registered", &humans, &anothers, ""},
      {"not Slurm's", &ours, nullptr, "uncordon; untaint; "},
      {"not Kubernetes'",
       nullptr,
       &drained,
       "s1: stays drained in Slurm, Kubernetes has no such node any more; to use it: scontrol "
       "update "
       "NodeName=s1 State=RESUME; "},
      {"without a Kubernetes node and not ours", nullptr, &open, ""},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(text_of(release_of(row.kube, row.slurm, kOptions)), row.want) << row.what;
}

TEST(NodeRelease, NodesThatWeRegisteredStayUnlessTheyAreToGoAndAreIdle) {
  const kube::Node node = kube_node();
  const slurm::Node idle = made_node();
  const slurm::Node drained = made_node({"IDLE", "DRAIN"}, kOurs);
  const slurm::Node busy = made_node({"MIXED", "DRAIN"}, kOurs);
  EXPECT_EQ(text_of(release_of(&node, &idle, kOptions)),
            "s1: stays registered in Slurm; --unregister removes it; ");
  EXPECT_EQ(text_of(release_of(&node, &drained, kOptions)),
            "undrain; s1: stays registered in Slurm; --unregister removes it; ");
  EXPECT_EQ(text_of(release_of(&node, &idle, kUnregister)), "remove node; ");
  EXPECT_EQ(text_of(release_of(nullptr, &drained, kUnregister)), "remove node; ");
  EXPECT_EQ(text_of(release_of(&node, &busy, kUnregister)),
            "s1: stays registered in Slurm, because jobs run there: run this again when they have "
            "ended; ");
  const slurm::Node fixed = slurm_node();
  EXPECT_EQ(text_of(release_of(&node, &fixed, kUnregister)), "");
}

class ReleasingNodes : public ::testing::Test {
 protected:
  std::vector<std::string> run(Mode mode, std::size_t failures = 0) {
    std::vector<std::string> lines;
    const auto failed =
        finish(loop_,
               clock_,
               release_nodes(
                   {loop_, kube_, slurm_, [&](const std::string& line) { lines.push_back(line); }},
                   kOptions,
                   mode,
                   std::chrono::seconds(5)));
    EXPECT_TRUE(failed.ok());
    if (failed.ok()) EXPECT_EQ(*failed, failures);
    return lines;
  }
  std::size_t writes() const {
    std::size_t count = 0;
    for (const auto* transport : {&to_kube_, &to_slurm_}) {
      for (const auto& call : transport->calls) count += call.request.method == "GET" ? 0 : 1;
    }
    return count;
  }

  bool cordoned_ = true;
  bool tainted_ = true;
  bool drained_ = true;
  std::string others_;      // further nodes in the list, each with a comma
  int patch_status_ = 200;  // of the next JSON patches
  bool somebody_is_faster_ = false;

 private:
  std::string node() const {
    return fmt::format(
        R"({{"metadata":{{"name":"n1","uid":"u","resourceVersion":"{}"{}}},"spec":{{"taints":[{}]{}}}}})",
        version_,
        cordoned_ ? R"(,"annotations":{"slinky.slurm.net/slurm-drain-reason":"fan"})" : "",
        tainted_ ? R"({"key":"slinky.slurm.net/managed-node","value":"slurm-bridge-scheduler",)"
                   R"("effect":"NoExecute"})"
                 : "",
        cordoned_ ? R"(,"unschedulable":true)" : "");
  }
  ScriptedTransport::Reply kube_reply(const net::http::Request& request) {
    if (request.method == "PATCH" && patch_status_ != 200 && request.body.starts_with('[')) {
      if (somebody_is_faster_) ++version_;
      return {answer(std::exchange(patch_status_, somebody_is_faster_ ? 200 : patch_status_),
                     R"({"message":"denied by policy"})")};
    }
    if (request.method == "PATCH") {
      (request.body.contains("annotations") ? cordoned_ : tainted_) = false;
      return {answer(200, "{}")};
    }
    const bool list = request.target.contains("limit=");
    return {answer(200, list ? R"({"items":[)" + others_ + node() + "]}" : node())};
  }
  ScriptedTransport::Reply slurm_reply(const net::http::Request& request) {
    if (request.method == "POST") {
      drained_ = false;
      return {answer(200, R"({"errors":[]})")};
    }
    return {
        answer(200,
               fmt::format(R"({{"errors":[],"last_update":{{"number":1}},"nodes":[{{"name":"n1",)"
                           R"("state":["IDLE"{}],"reason":"slurm-bridge: x"}}]}})",
                           drained_ ? R"(,"DRAIN")" : ""))};
  }

  int version_ = 3;
  base::VirtualClock clock_;
  net::Loop loop_{clock_, 7};
  ScriptedTransport to_slurm_{loop_, [this](const auto& request) { return slurm_reply(request); }};
  ScriptedTransport to_kube_{loop_, [this](const auto& request) { return kube_reply(request); }};
  slurm::TokenSource tokens_ = slurm::TokenSource::fixed(base::Secret("t"));
  kube::Credentials credentials_;
  slurm::Client slurm_{loop_, to_slurm_, tokens_};
  kube::Client kube_{to_kube_, credentials_};
};

TEST_F(ReleasingNodes, APlanChangesNothingAndAReleaseEndsWhenNothingIsLeft) {
  const std::vector<std::string> want{
      "n1: undrain in Slurm (slurm-bridge: x)", "n1: uncordon", "n1: untaint"};
  EXPECT_EQ(run(Mode::plan), want);
  EXPECT_EQ(writes(), 0U);
  EXPECT_EQ(run(Mode::act), want);
  EXPECT_FALSE(cordoned_ || tainted_ || drained_);
  EXPECT_EQ(writes(), 3U);
  EXPECT_TRUE(run(Mode::act).empty());
  EXPECT_EQ(writes(), 3U);
}

TEST_F(ReleasingNodes, ANodeThatCannotBeReadFailsAndTheOthersAreReleased) {
  others_ = R"({"metadata":{"name":"odd","labels":{"slinky.slurm.net/slurm-nodename":"s-odd"}},)"
            R"("spec":{"taints":"many"}},)";
  const std::vector<std::string> lines = run(Mode::act, 1);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("s-odd: failed: ")) << lines[0];
  EXPECT_FALSE(cordoned_ || tainted_ || drained_);
}

TEST_F(ReleasingNodes, ADenialByAWebhookIsReportedWithItsMessage) {
  drained_ = cordoned_ = false;
  patch_status_ = 422;
  EXPECT_EQ(run(Mode::act, 1),
            std::vector<std::string>{"n1: failed: patch nodes n1: denied by policy"});
  EXPECT_EQ(writes(), 1U) << "it is not repeated";
}

TEST_F(ReleasingNodes, APatchForAnOlderVersionIsMadeAgain) {
  drained_ = cordoned_ = false;
  patch_status_ = 422;
  somebody_is_faster_ = true;
  EXPECT_EQ(run(Mode::act), std::vector<std::string>{"n1: untaint"});
  EXPECT_EQ(writes(), 2U);
}

}  // namespace
}  // namespace bridge::nodes
