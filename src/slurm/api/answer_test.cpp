// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/answer.h"

#include "slurm/testing/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

using base::Kind;
using testing::answer;
using ::testing::HasSubstr;
using testing::sample;

TEST(Submitted, IsTheIdOfA200WithoutErrors) {
  for (const auto& [name, id] : {std::pair{"submit-external", 1U},
                                 std::pair{"submit-held", 2U},  // with warnings
                                 // Pending for ever, but exists.
                                 std::pair{"err-too-many-nodes", 2U},
                                 std::pair{"err-time-over-partition", 12U},
                                 std::pair{"err-unknown-field", 17U}}) {
    const Submitted made = submitted(sample(name));
    EXPECT_FALSE(made.error) << name << ": " << made.error->to_string();
    EXPECT_EQ(made.id, JobId(id)) << name;
  }
}

struct Row {
  const char* sample;
  Kind kind;
  int code;
  const char* text;
};

TEST(Submitted, ARealRefusalHasKindNumberAndSlurmsText) {
  const Row kRows[] = {
      {"err-bad-partition", Kind::refused, 2000, "Invalid partition name specified"},
      {"err-bad-account", Kind::refused, 2045, "Invalid account"},
      {"err-bad-qos", Kind::refused, 2066, "to change: the QOS"},
      {"err-bad-gres", Kind::refused, 2072, "gres"},
      {"err-no-association", Kind::refused, 2045, "sacctmgr"},
      {"err-bad-feature", Kind::refused, 2029, "to change: the constraints"},
      {"err-bad-license", Kind::refused, 2048, "to change: the licences"},
      {"err-bad-gres-type", Kind::refused, 2014, "no node has all of this"},
      {"err-qos-not-allowed", Kind::refused, 2066, "to change: the QOS"},
      {"err-bad-signature", Kind::unauthorized, 1007, "the Slurm token"},
      {"err-garbage-token", Kind::unauthorized, 1007, "the Slurm token"},
      {"err-bad-required-node", Kind::refused, 2018, "Invalid node name specified"},
      {"err-too-much-memory", Kind::refused, 2014, "Requested node configuration"},
      {"err-external-with-script", Kind::refused, 2189, "external job"},  // although status 500
      {"err-admin-comment-as-user", Kind::forbidden, 2002, "SlurmUser"},
      {"err-empty-object", Kind::invalid, 9000, "script"},
      {"err-unknown-user-token", Kind::unauthorized, 6010, "nobody"},
      {"err-expired-token", Kind::unauthorized, 1007, "Protocol authentication error"},
      {"down-submit", Kind::unavailable, 1800, "connect failure"},
      {"err-no-auth-headers", Kind::unauthorized, 0, "Authentication failure"},
      {"err-bad-json", Kind::unavailable, 0, "Failure during parsing"},
      {"err-bad-content-type", Kind::unavailable, 0, "MIME type"},
      {"err-future-api-version", Kind::unavailable, 0, "Unable to find requested URL"},
  };
  for (const Row& row : kRows) {
    const Submitted made = submitted(sample(row.sample));
    EXPECT_FALSE(made.id) << row.sample;
    ASSERT_TRUE(made.error) << row.sample;
    EXPECT_EQ(made.error->kind(), row.kind) << row.sample << ": " << made.error->to_string();
    EXPECT_EQ(made.error->code(), row.code) << row.sample;
    EXPECT_THAT(made.error->message(), HasSubstr(row.text)) << row.sample;
    EXPECT_NE(made.error->status(), 0) << row.sample;
  }
}

TEST(Submitted, AWrongTypeIsA200WithoutAnIdAndIsRefusedWithTheWarning) {
  const Submitted made = submitted(sample("err-wrong-type"));
  EXPECT_FALSE(made.id);
  ASSERT_TRUE(made.error);
  EXPECT_TRUE(made.error->is(Kind::refused));
  EXPECT_THAT(made.error->message(), HasSubstr("Expected OpenAPI type=integer"));
}

TEST(Submitted, AnIdBesideErrorsIsGivenBackToBeCancelled) {
  const Submitted made = submitted(sample("err-unknown-flag"));
  EXPECT_EQ(made.id, JobId(18));
  ASSERT_TRUE(made.error);
  EXPECT_TRUE(made.error->is(Kind::refused));
  EXPECT_EQ(made.error->code(), 9207);
}

TEST(Submitted, IsLostWhereTheAnswerProvesNothing) {
  const net::http::Response kAnswers[] = {
      sample("stopped-submit"),       // 504/5004: the job was made
      sample("err-no-content-type"),  // 500 "Unspecified error"
      answer(502, "<html>Bad Gateway</html>"),
      answer(503, ""),
      answer(504, "upstream timed out"),
      answer(408, "Request Timeout"),
      answer(200, ""),
      answer(200, R"({"job_id": 7, "step)"),
      answer(200, "{}"),
      answer(200, R"([])"),
      answer(202, R"({"errors":[],"warnings":[]})"),
      answer(500, R"({"errors":[{"error_number":1802,"error":"receive failure"}],"warnings":[]})"),
      answer(500, R"({"errors":[{"error_number":-1,"error":"Unspecified error"}],"warnings":[]})"),
      answer(500, R"({"errors":[{"error_number":2045},{"error_number":5004}],"warnings":[]})"),
  };
  for (const auto& one : kAnswers) {
    const Submitted made = submitted(one);
    EXPECT_FALSE(made.id) << one.body;
    ASSERT_TRUE(made.error) << one.body;
    EXPECT_TRUE(made.error->is(Kind::lost)) << one.body << ": " << made.error->to_string();
  }
}

TEST(Submitted, IsNotLostIfTheRequestWasRejectedBeforeSlurmctld) {
  EXPECT_TRUE(submitted(answer(511, "who are you")).error->is(Kind::unauthorized));
  EXPECT_TRUE(submitted(answer(413, "too large")).error->is(Kind::unavailable));
  EXPECT_TRUE(submitted(answer(429, "slow down")).error->is(Kind::too_many));
}

TEST(Submitted, ContainsTheMessageOfTheSitesSubmitPlugin) {
  const Submitted made = submitted(answer(
      422,
      R"({"job_submit_user_msg":"please name a project","errors":[{"error_number":2050,"error":"x"}]})"));
  ASSERT_TRUE(made.error);
  EXPECT_THAT(made.error->message(), HasSubstr("please name a project"));
}

TEST(Submitted, DoesNotTakeZeroOrAHugeNumberForAnId) {
  for (const char* id : {"0", "-1", "99999999999", "\"7\""}) {
    const Submitted made =
        submitted(answer(200, fmt::format(R"({{"job_id":{},"errors":[],"warnings":[]}})", id)));
    EXPECT_FALSE(made.id) << id;
    EXPECT_TRUE(made.error) << id;
  }
}

TEST(Cancelled, IsFineForALiveAndForAnEndedJob) {
  EXPECT_TRUE(cancelled(sample("cancel-default")).ok());
  EXPECT_TRUE(cancelled(sample("cancel-again")).ok());
}

TEST(Cancelled, FindsTheFailureThatHidesInA200) {
  EXPECT_TRUE(cancelled(sample("cancel-unknown")).error().is(Kind::not_found));
  const auto other = cancelled(sample("cancel-other-user"));
  EXPECT_TRUE(other.error().is(Kind::forbidden));
  EXPECT_EQ(other.error().code(), 2002);
  EXPECT_THAT(other.error().message(), HasSubstr("permission denied"));
}

TEST(Cancelled, AnOutageThatLooksLikeAPermissionProblemIsUnavailable) {
  const auto outcome = cancelled(sample("stopped-cancel"));  // 403/1, and the job was cancelled
  EXPECT_TRUE(outcome.error().is(Kind::unavailable)) << outcome.error().to_string();
}

TEST(Cancelled, A404OfAProxyIsNotSlurmsVerdict) {
  EXPECT_FALSE(cancelled(answer(404, "not found")).error().is(Kind::not_found));
  EXPECT_FALSE(cancelled(sample("err-future-api-version")).error().is(Kind::not_found));
}

// Typical answers of proxies and API gateways. None of them knows a job.
TEST(ErrorOf, AnErrorWithoutSlurmsNumberIsNeverAVerdict) {
  const char* kBodies[] = {
      "",
      "<html>414 Request-URI Too Large</html>",
      R"({"message":"no Route matched with those values"})",
      R"({"errors":[{"status":"404","title":"not found"}]})",
      R"({"meta":{"request":"17"},"error":"not found"})",
  };
  for (const int status : {400, 401, 403, 404, 405, 409, 410, 413, 414, 415, 422, 431, 500, 511}) {
    for (const char* body : kBodies) {
      const auto one = answer(status, body);
      json::Parser parser;
      for (const base::Error& error :
           {read(one, parser).error(), cancelled(one).error(), *submitted(one).error}) {
        for (const Kind verdict :
             {Kind::not_found, Kind::conflict, Kind::invalid, Kind::refused, Kind::forbidden}) {
          EXPECT_FALSE(error.is(verdict)) << status << " " << body << ": " << error.to_string();
        }
        EXPECT_EQ(error.code(), 0);
        EXPECT_EQ(error.status(), status);
      }
      EXPECT_FALSE(submitted(one).id);
    }
  }
}

TEST(ErrorOf, KeepsHostileTextOnOneLineAndShort) {
  const auto error = testing::answer(500, "a\nb\x1b[31m" + std::string(100'000, 'x'));
  const base::Error result = error_of_text(error);
  EXPECT_LT(result.message().size(), 500U);
  EXPECT_EQ(result.message().find('\n'), std::string::npos);
  EXPECT_EQ(result.message().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace slurm::inline api
