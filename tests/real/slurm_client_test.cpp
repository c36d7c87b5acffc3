// SPDX-License-Identifier: Apache-2.0
// The Slurm client and the mirror against a real slurmrestd; tests/e2e runs this on the dev
// cluster:
//   SB_SLURM_URL=http://127.0.0.1:6820 SB_SLURM_TOKEN_FILE=... SB_SLURM_PARTITION=...
//   real_slurm_test
// The token is SlurmUser's; the partition has external nodes with room for small jobs.
// SB_SLURM_USER_TOKEN is a token of somebody else who has an association; without it that part is
// skipped.
#include "net/http/client.h"
#include "net/transport/connector.h"
#include "net/transport/url.h"
#include "slurm/client/client.h"
#include "slurm/client/jwt.h"
#include "slurm/client/token_check.h"
#include "slurm/mirror/mirror.h"
#include "slurm/testing/hs256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace slurm {
namespace {

using base::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class RealSlurm : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto url = net::parse_url(from_environment("SB_SLURM_URL"));
    ASSERT_TRUE(url.ok()) << "SB_SLURM_URL names no slurmrestd: " << url.error().message();
    auto connector = net::make_connector(loop_, *url, net::TlsOptions());
    ASSERT_TRUE(connector.ok());
    net::HttpOptions options;
    options.authority = url->authority();
    transport_ = std::make_unique<net::HttpClient>(loop_, std::move(*connector), options);
    client_ = std::make_unique<Client>(loop_, *transport_, tokens_);
  }

  template <class T>
  T run(net::Task<T> task) {
    std::optional<T> outcome;
    net::TaskGroup group(loop_);
    group.spawn("test", [&outcome, task = std::move(task)]() mutable -> net::Task<void> {
      outcome.emplace(co_await std::move(task));
    });
    loop_.run();
    return std::move(*outcome);
  }

  base::Instant soon() const { return loop_.in(seconds(20)); }

  JobRequest small() const {
    JobRequest request;
    request.name = "sb-real-slurm-test";
    request.partition = from_environment("SB_SLURM_PARTITION");
    request.admin_comment = R"({"pods":["a/b"]})";
    request.cpus_per_task = 1;
    request.memory_per_node_mib = 16;
    request.time_limit_minutes = 5;
    return request;
  }

  JobId submit(const JobRequest& request) {
    const auto id = run(client_->submit(request, soon()));
    EXPECT_TRUE(id.ok()) << id.error().to_string();
    return id.ok() ? *id : JobId();
  }

  // The first node of a job, once it runs.
  base::Result<SlurmNodeName> node_of(JobId id) {
    const base::Instant end = loop_.in(seconds(30));
    auto job = run(client_->job(id, soon()));
    while (!(job.ok() && job->state == JobState::running) && loop_.now() < end) {
      (void)run(loop_.sleep_for(milliseconds(50)));
      job = run(client_->job(id, soon()));
    }
    if (!job.ok()) return job.error();
    if (job->state != JobState::running || job->nodes.empty())
      return base::Error(Kind::protocol, "the job does not run, or runs without nodes");
    return job->nodes.front();
  }

  base::RealClock clock_;
  net::Loop loop_{clock_};
  TokenSource tokens_ = TokenSource::from_file(from_environment("SB_SLURM_TOKEN_FILE"), clock_);
  std::unique_ptr<net::HttpClient> transport_;
  std::unique_ptr<Client> client_;
};

TEST_F(RealSlurm, SpeaksOneOfOurVersionsAndTakesOurToken) {
  const auto version = run(client_->discover(soon()));
  ASSERT_TRUE(version.ok()) << version.error().to_string();
  const auto pong = run(client_->ping(soon()));
  ASSERT_TRUE(pong.ok()) << pong.error().to_string();
  EXPECT_TRUE(pong->responding());
  EXPECT_NE(pong->release, "");
  EXPECT_NE(claims(*tokens_.token())->user, "");
}

TEST_F(RealSlurm, AJobIsMadeFollowedAndCancelled) {
  const JobId id = submit(small());
  const auto job = run(client_->job(id, soon()));
  ASSERT_TRUE(job.ok()) << job.error().to_string();
  EXPECT_TRUE(job->external);
  EXPECT_EQ(job->admin_comment, R"({"pods":["a/b"]})");
  EXPECT_EQ(run(client_->identity(id, soon()))->admin_comment, job->admin_comment);
  const auto states = run(client_->states({id, JobId(60'000'000)}, soon()));
  ASSERT_TRUE(states.ok()) << states.error().to_string();
  ASSERT_EQ(states->size(), 1U);
  EXPECT_TRUE(is_live(states->front().state));
  EXPECT_TRUE(run(client_->cancel(id, soon())).ok());
  EXPECT_TRUE(run(client_->cancel(id, soon())).ok());  // has ended already
  EXPECT_EQ(run(client_->states({id}, soon()))->front().state, JobState::cancelled);
  const auto all = run(client_->all_states(soon()));
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(*all, ::testing::Contains(::testing::Field(&JobStatus::id, id)));
}

TEST_F(RealSlurm, AnUnknownJobIsNotFound) {
  const JobId unknown(60'000'000);
  EXPECT_TRUE(run(client_->job(unknown, soon())).error().is(Kind::not_found));
  EXPECT_TRUE(run(client_->cancel(unknown, soon())).error().is(Kind::not_found));
  EXPECT_TRUE(run(client_->states({unknown}, soon()))->empty());
}

TEST_F(RealSlurm, TakesThousandsOfIdsInOneCall) {
  std::vector<JobId> ids;
  for (std::uint32_t n = 0; n < kMostIdsPerCall; ++n) ids.emplace_back(60'000'000 + n);
  const auto states = run(client_->states(ids, soon()));
  ASSERT_TRUE(states.ok()) << states.error().to_string();
  EXPECT_TRUE(states->empty());
}

TEST_F(RealSlurm, RefusesWithItsOwnWords) {
  JobRequest request = small();
  request.qos = "no-such-qos";
  const auto refused = run(client_->submit(request, soon()));
  ASSERT_FALSE(refused.ok());
  request = small();
  request.partition = "no-such-partition";
  const auto nowhere = run(client_->submit(request, soon()));
  ASSERT_FALSE(nowhere.ok());
  EXPECT_TRUE(nowhere.error().is(Kind::refused)) << nowhere.error().to_string();
  EXPECT_EQ(nowhere.error().code(), 2000);
}

TEST_F(RealSlurm, AnotherKeysTokenIsUnauthorized) {
  const auto forged =
      slurm::testing::mint(base::Secret("not the key"), "slurm", seconds(60), clock_.wall());
  TokenSource source = TokenSource::fixed(*forged);
  Client stranger(loop_, *transport_, source);
  EXPECT_TRUE(run(stranger.all_states(soon())).error().is(Kind::unauthorized));
  EXPECT_TRUE(run(stranger.submit(small(), soon())).error().is(Kind::unauthorized));
}

TEST_F(RealSlurm, TheTokenCheckIsFineInEveryVersionAndLeavesNothingBehind) {
  const JobId before = submit(small());
  (void)run(client_->cancel(before, soon()));
  for (const ApiVersion version : {ApiVersion::v0_0_43, ApiVersion::v0_0_44, ApiVersion::v0_0_45}) {
    Client client(loop_, *transport_, tokens_, version);
    const auto checked = run(check_token(client, {small().partition, ""}, soon()));
    ASSERT_TRUE(checked.ok());
    EXPECT_EQ(checked->verdict, TokenCheck::Verdict::fine) << checked->message;
    EXPECT_EQ(checked->message, "");
  }
  const JobId after = submit(small());
  (void)run(client_->cancel(after, soon()));
  // Others may have made jobs meanwhile.
  for (std::uint32_t id = before.value() + 1; id < after.value(); ++id) {
    const auto job = run(client_->job(JobId(id), soon()));
    EXPECT_TRUE(job.ok()) << "an id was used up: " << id;
    if (job.ok()) EXPECT_NE(job->name, token_check_request({}).name);
  }
}

TEST_F(RealSlurm, TheTokenCheckSaysWhatIsWrong) {
  const auto verdict = [&](Client& client, TokenUse use) {
    auto checked = run(check_token(client, std::move(use), soon()));
    EXPECT_EQ(checked->verdict, TokenCheck::Verdict::wrong) << checked->message;
    return checked->message;
  };
  EXPECT_THAT(verdict(*client_, {"no-such-partition", ""}), ::testing::HasSubstr("no partition"));
  EXPECT_THAT(verdict(*client_, {small().partition, "no-such-account"}),
              ::testing::HasSubstr("no association with account no-such-account (it has: "));
  TokenSource forged = TokenSource::fixed(
      *slurm::testing::mint(base::Secret("not the key"), "slurm", seconds(60), clock_.wall()));
  Client stranger(loop_, *transport_, forged);
  EXPECT_THAT(verdict(stranger, {}), ::testing::HasSubstr("does not accept the token"));
}

TEST_F(RealSlurm, TheTokenCheckKnowsAUserFromSlurmUser) {
  const std::string token = from_environment("SB_SLURM_USER_TOKEN");
  if (token.empty()) GTEST_SKIP() << "no SB_SLURM_USER_TOKEN";
  TokenSource source = TokenSource::fixed(base::Secret(token));
  Client user(loop_, *transport_, source);
  const auto checked = run(check_token(user, {small().partition, ""}, soon()));
  EXPECT_EQ(checked->verdict, TokenCheck::Verdict::wrong);
  EXPECT_THAT(checked->message, ::testing::HasSubstr("not to SlurmUser"));
}

TEST_F(RealSlurm, AWaitingJobIsChanged) {
  JobRequest held = small();
  held.priority = 0;
  // The node that Slurm takes first, whatever weights or drains others have given to the rest.
  const JobId scout = submit(small());
  const auto first = node_of(scout);
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  ASSERT_TRUE(run(client_->cancel(scout, soon())).ok());
  held.excluded_nodes = {*first};
  const JobId id = submit(held);
  JobUpdate update;
  update.admin_comment = "changed";
  update.nodes = 2;
  update.tasks = 2;
  update.time_limit_minutes = 3;
  update.excluded_nodes.emplace();
  const auto updated = run(client_->update(id, update, soon()));
  EXPECT_TRUE(updated.ok()) << updated.error().to_string();
  EXPECT_EQ(run(client_->job(id, soon()))->admin_comment, "changed");
  JobUpdate release;
  release.hold = false;
  EXPECT_TRUE(run(client_->update(id, release, soon())).ok());
  const auto node = node_of(id);
  ASSERT_TRUE(node.ok()) << node.error().to_string();
  EXPECT_EQ(run(client_->job(id, soon()))->nodes.size(), 2U);
  EXPECT_EQ(*node, held.excluded_nodes.front());  // not excluded any more
  (void)run(client_->cancel(id, soon()));
  EXPECT_TRUE(run(client_->update(id, update, soon())).error().is(Kind::conflict));
  EXPECT_TRUE(run(client_->update(JobId(60'000'000), update, soon())).error().is(Kind::not_found));
}

TEST_F(RealSlurm, ANodeIsMadeDrainedAndDeleted) {
  NewNode node;
  node.name = SlurmNodeName("sbtest1");
  node.cores = 2;
  node.memory_mib = 100;
  node.gres = "gpu:a100:1";
  node.gres_conf = "count=1,name=gpu,type=a100,file=/dev/nvidia0";
  (void)run(client_->delete_node(node.name, soon()));
  const auto made = run(client_->create_node(node, soon()));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_TRUE(run(client_->create_node(node, soon())).error().is(Kind::conflict));
  const auto drained = run(client_->change_node(node.name, Drain{"a test"}, soon()));
  EXPECT_TRUE(drained.ok()) << drained.error().to_string();
  const auto list = run(client_->nodes(soon()));
  const auto found = std::ranges::find(list->nodes, node.name, &Node::name);
  ASSERT_NE(found, list->nodes.end());
  EXPECT_TRUE(found->draining());
  EXPECT_TRUE(found->external());
  EXPECT_EQ(found->reason, "a test");
  EXPECT_TRUE(run(client_->change_node(node.name, Undrain{}, soon())).ok());
  EXPECT_TRUE(run(client_->change_node(node.name, Undrain{}, soon())).ok());  // again
  EXPECT_TRUE(run(client_->change_node(node.name, Resume{}, soon())).error().is(Kind::conflict));
  EXPECT_TRUE(run(client_->delete_node(node.name, soon())).ok());
  EXPECT_TRUE(run(client_->delete_node(node.name, soon())).error().is(Kind::not_found));
  EXPECT_TRUE(run(client_->change_node(node.name, Undrain{}, soon())).error().is(Kind::not_found));
}

TEST_F(RealSlurm, ListsItsPartitionsAndOurAssociations) {
  const auto all = run(client_->partitions(soon()));
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  const auto ours = std::ranges::find(*all, small().partition, &Partition::name);
  ASSERT_NE(ours, all->end());
  EXPECT_TRUE(ours->up);
  EXPECT_FALSE(ours->nodes.empty());
  const auto known = run(client_->associations(claims(*tokens_.token())->user, soon()));
  ASSERT_TRUE(known.ok()) << known.error().to_string();
  EXPECT_FALSE(known->empty());
}

TEST_F(RealSlurm, ListsItsNodesAndWhatChanged) {
  const auto list = run(client_->nodes(soon()));
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  EXPECT_FALSE(list->nodes.empty());
  EXPECT_TRUE(run(client_->nodes_since(list->last_update + 1'000'000, soon())).ok());
}

TEST_F(RealSlurm, TheMirrorSeesAJobStartOnItsNodeAndEnd) {
  Mirror mirror(loop_, *client_, MirrorOptions(), [](std::string_view comment) {
    return comment == R"({"pods":["a/b"]})";
  });
  net::TaskGroup group(loop_);
  group.spawn("mirror", mirror.run());
  JobId id;
  const base::Instant end = loop_.in(seconds(60));
  const auto follow = [&]() -> net::Task<void> {
    const auto made = co_await client_->submit(small(), soon());
    if (made.ok()) {
      id = *made;
      mirror.submitted(id, R"({"pods":["a/b"]})");
      while (!mirror.find(id)->placed() && loop_.now() < end) {
        (void)co_await loop_.sleep_for(milliseconds(20));
      }
      EXPECT_TRUE(mirror.find(id)->placed());
      (void)co_await client_->cancel(id, soon());
      mirror.hurry();
      while (!mirror.find(id)->known(JobState::cancelled) && loop_.now() < end) {
        (void)co_await loop_.sleep_for(milliseconds(20));
      }
    }
    group.cancel();
  };
  group.spawn("follow", follow);
  loop_.run();
  ASSERT_NE(mirror.find(id), nullptr);
  EXPECT_TRUE(mirror.find(id)->known(JobState::cancelled));
  EXPECT_TRUE(mirror.healthy());
}

}  // namespace
}  // namespace slurm
