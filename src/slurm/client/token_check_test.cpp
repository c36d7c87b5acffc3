// SPDX-License-Identifier: Apache-2.0
#include "slurm/client/token_check.h"

#include "slurm/api/answer.h"
#include "slurm/testing/api_path.h"
#include "slurm/testing/hs256.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace slurm::inline client {
namespace {

using base::Error;
using base::Kind;
using testing::accounting_path;
using ::testing::AllOf;
using testing::answer;
using testing::api_path;
using testing::finish;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample;
using testing::ScriptedTransport;
using Verdict = TokenCheck::Verdict;

const base::WallTime kNow{std::chrono::seconds(1'700'000'000)};

base::Secret token_of(std::string_view user) {
  return *slurm::testing::mint(base::Secret("key"), user, std::chrono::hours(1), kNow);
}

class TokenCheckTest : public ::testing::Test {
 protected:
  using Answers = std::deque<base::Result<net::http::Response>>;

  // The result of the check if Slurm gives these answers.
  base::Result<TokenCheck> check(Answers answers, TokenUse use = {"slurm-bridge", ""}) {
    answers_ = std::move(answers);
    TokenSource tokens = TokenSource::fixed(token_of(user_));
    Client client(loop_, transport_, tokens);
    return finish(
        loop_, clock_, check_token(client, std::move(use), loop_.in(std::chrono::seconds(5))));
  }

  std::string user_ = "slurm";
  base::VirtualClock clock_;
  net::Loop loop_{clock_, 1};
  Answers answers_;
  ScriptedTransport transport_{loop_, [this](const net::http::Request&) {
                                 ScriptedTransport::Reply reply{std::move(answers_.front())};
                                 answers_.pop_front();
                                 return reply;
                               }};
};

TEST_F(TokenCheckTest, AsksForAHeldJobWithAnIdentityThatNoSlurmCanMake) {
  ASSERT_TRUE(check({sample("token-check-fine")}, {"gpu", "team1"}).ok());
  ASSERT_EQ(transport_.calls.size(), 1U);
  EXPECT_EQ(transport_.calls[0].request.target, api_path("/job/submit"));
  EXPECT_THAT(transport_.calls[0].request.body,
              AllOf(HasSubstr(R"("admin_comment":"{}")"),
                    HasSubstr(R"("licenses":"slurm-bridge-token-check:1")"),
                    HasSubstr(R"("partition":"gpu")"),
                    HasSubstr(R"("account":"team1")"),
                    HasSubstr(R"("priority":{"infinite":false,"number":0,"set":true})")));
}

TEST_F(TokenCheckTest, IsFineWhereOnlyTheLicenceIsRefused) {
  EXPECT_EQ(check({sample("token-check-fine")}).value(), (TokenCheck{Verdict::fine, ""}));
}

TEST_F(TokenCheckTest, NamesTheUserOfATokenThatIsNotSlurmUsers) {
  user_ = "alice";
  EXPECT_EQ(check({sample("token-check-as-user")}).value(),
            (TokenCheck{
                Verdict::wrong,
                "the Slurm token belongs to user alice, not to SlurmUser: jobs cannot carry their "
                "identity. Create one with: scontrol token username=slurm"}));
}

TEST_F(TokenCheckTest, NamesTheMissingAssociation) {
  const auto none = check({sample("token-check-no-association"), sample("associations-none")});
  EXPECT_EQ(none->verdict, Verdict::wrong);
  EXPECT_EQ(none->message,
            "user slurm has no association with any account: Slurm refuses its jobs. Give it one "
            "with: sacctmgr add user slurm account=NAME");
  EXPECT_EQ(transport_.calls[1].request.target, accounting_path("/associations/?user=slurm"));

  const auto other =
      check({sample("token-check-no-association"), sample("associations")}, {"", "team1"});
  EXPECT_THAT(other->message,
              AllOf(HasSubstr("no association with account team1 (it has: biology, physics)"),
                    HasSubstr("sacctmgr add user slurm account=team1")));
}

TEST_F(TokenCheckTest, ReportsItEvenIfAccountingDoesNotAnswer) {
  const auto checked = check({sample("token-check-no-association"), Error(Kind::lost, "away")});
  EXPECT_EQ(checked->verdict, Verdict::wrong);
  EXPECT_THAT(checked->message, HasSubstr("has no association"));
}

TEST_F(TokenCheckTest, DoesNotClaimThatAnAssociationIsMissingWhichIsThere) {
  const auto checked =
      check({sample("token-check-no-association"), sample("associations")}, {"gpu", "physics"});
  EXPECT_EQ(checked->verdict, Verdict::wrong);
  EXPECT_EQ(checked->message,
            "Slurm refuses jobs of user slurm under account physics in partition gpu");
}

TEST_F(TokenCheckTest, ReportsThatThePartitionDoesNotExist) {
  const auto checked = check({sample("err-bad-partition")}, {"nosuch", ""});
  EXPECT_EQ(checked->verdict, Verdict::wrong);
  EXPECT_THAT(checked->message, HasSubstr("no partition nosuch"));
}

TEST_F(TokenCheckTest, ReportsThatSlurmRejectsTheTokenAndWhenItExpires) {
  for (const char* name :
       {"err-expired-token", "err-bad-signature", "err-garbage-token", "err-unknown-user-token"}) {
    const auto checked = check({sample(name)});
    EXPECT_EQ(checked->verdict, Verdict::wrong) << name;
    EXPECT_THAT(checked->message,
                AllOf(HasSubstr("does not accept the token (of user slurm)"),
                      HasSubstr("valid until 2023-11-14T23:13:20Z"),
                      HasSubstr("scontrol token")))
        << name;
  }
}

TEST_F(TokenCheckTest, CannotTellWhereSlurmOrTheWayToItIsAway) {
  const base::Result<net::http::Response> kRows[] = {Error(Kind::unreachable, "refused"),
                                                     Error(Kind::lost, "no answer in time"),
                                                     sample("down-submit"),
                                                     sample("stopped-submit"),
                                                     sample("err-no-auth-headers"),
                                                     sample("err-future-api-version"),
                                                     answer(503, "proxy")};
  for (const auto& row : kRows) {
    const auto checked = check({row});
    ASSERT_TRUE(checked.ok());
    EXPECT_EQ(checked->verdict, Verdict::unknown);
    EXPECT_NE(checked->message, "");
  }
}

TEST_F(TokenCheckTest, AJobThatSlurmMadeAllTheSameIsCancelled) {
  EXPECT_EQ(check({sample("submit-external"), sample("cancel-default")})->verdict, Verdict::fine);
  ASSERT_EQ(transport_.calls.size(), 2U);
  EXPECT_EQ(transport_.calls[1].request.method, "DELETE");
  EXPECT_EQ(transport_.calls[1].request.target, api_path("/job/1"));

  const auto left = check({sample("submit-external"), Error(Kind::lost, "away")});
  EXPECT_EQ(left->verdict, Verdict::fine);
  EXPECT_THAT(left->message, HasSubstr("job 1"));
}

TEST_F(TokenCheckTest, IsAnErrorOnlyIfItIsCancelled) {
  EXPECT_TRUE(check({Error(Kind::cancelled, "stop")}).error().is(Kind::cancelled));
}

TEST_F(TokenCheckTest, NeverRepeatsTheToken) {
  for (const char* name : {"err-expired-token", "token-check-as-user"}) {
    EXPECT_THAT(check({sample(name)})->message,
                Not(HasSubstr(std::string(token_of("slurm").reveal()))));
  }
}

}  // namespace
}  // namespace slurm::inline client
