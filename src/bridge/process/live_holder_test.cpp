// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/live_holder.h"

#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

namespace bridge::process {
namespace {

using slurm::testing::answer;
using slurm::testing::finish;
using slurm::testing::ScriptedTransport;

const kube::ObjectKey kKey{"slurm", "l"};

class LiveHolder : public ::testing::Test {
 protected:
  // Calls `lease` for the answer to each read, with the number of earlier reads. An empty text is
  // answered with the status none_.
  LeaseSigns signs(const std::function<std::string(int)>& lease) {
    int asked = 0;
    ScriptedTransport transport(loop_, [&](const auto&) -> ScriptedTransport::Reply {
      const std::string text = lease(asked++);
      return {text.empty() ? answer(none_, "{}") : answer(200, text)};
    });
    kube::Client kube(transport, credentials_);
    const auto found =
        finish(loop_, clock_, lease_signs(loop_, kube, {kKey}, std::chrono::seconds(5)));
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : LeaseSigns();
  }
  static std::string lease(const std::string& holder, int renewed) {
    return fmt::format(R"({{"metadata":{{"name":"l"}},"spec":{{"holderIdentity":"{}",)"
                       R"("leaseDurationSeconds":15,"renewTime":"{}"}}}})",
                       holder,
                       renewed);
  }
  int none_ = 404;
  base::VirtualClock clock_;
  net::Loop loop_{clock_, 7};
  kube::Credentials credentials_;
};

TEST_F(LiveHolder, IsTheHolderThatRenewsNotOneThatIsOnlyNamedInTheLease) {
  EXPECT_EQ(signs([](int) { return lease("", 1); }).holder, "");
  EXPECT_EQ(signs([](int asked) { return lease("a", asked / 2); }).holder, "a");
  const base::Instant before = clock_.now();
  const LeaseSigns dead = signs([](int) { return lease("dead", 1); });
  EXPECT_EQ(dead.holder, "");
  EXPECT_TRUE(dead.missing.empty());
  EXPECT_GE(clock_.now() - before, std::chrono::seconds(15));
}

TEST_F(LiveHolder, ALeaseThatIsMissingOrForbiddenProvesNothing) {
  for (const int status : {404, 403}) {
    none_ = status;
    const LeaseSigns none = signs([](int) { return ""; });
    EXPECT_EQ(none.holder, "");
    EXPECT_EQ(none.missing, std::vector{kKey});
  }
}

TEST(WhetherControllersRun, TheOperatorsStatementCountsOnlyIfNoLeaseIsRenewed) {
  const LeaseSigns stopped;
  const LeaseSigns runs{"a", {}};
  const LeaseSigns missing{"", {kKey}};
  EXPECT_EQ(why_they_may_run(stopped, OperatorSays::nothing), "");
  for (const OperatorSays operator_says : {OperatorSays::stopped, OperatorSays::nothing})
    EXPECT_EQ(why_they_may_run(runs, operator_says),
              "the controllers still run (a): stop them first");
  EXPECT_EQ(why_they_may_run(missing, OperatorSays::nothing),
            "there is no Lease slurm/l that we may read, and so nobody can tell whether "
            "controllers still run: name "
            "their namespace by --leader-election-namespace, or stop them, then add "
            "--controllers-are-stopped");
  EXPECT_NE(why_they_may_run(std::nullopt, OperatorSays::nothing), "");
  EXPECT_EQ(why_they_may_run(missing, OperatorSays::stopped), "");
  EXPECT_EQ(why_they_may_run(std::nullopt, OperatorSays::stopped), "");
}

}  // namespace
}  // namespace bridge::process
