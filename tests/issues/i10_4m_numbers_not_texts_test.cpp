// SPDX-License-Identifier: Apache-2.0
// 10.4m: the exact text of an error decided whether a job exists.
#include "slurm/api/job_answer.h"

#include <gtest/gtest.h>

namespace slurm {
namespace {

base::Kind kind_of(int status, const std::string& body) {
  return job(net::http::Response(status, {}, body), JobId(7)).error().kind();
}

TEST(Weakness104m, AnUnknownJobIsToldByItsNumberWhateverTheText) {
  for (const char* text : {"Invalid job id specified", "Ungueltige Jobnummer", ""})
    EXPECT_EQ(kind_of(404,
                      std::string(R"({"errors":[{"error_number":2017,"error":")") + text +
                          R"("}],"warnings":[]})"),
              base::Kind::not_found);
}

TEST(Weakness104m, TheTextOfSomebodyElseProvesNothing) {
  EXPECT_NE(kind_of(404, "Invalid job id specified"), base::Kind::not_found);
  EXPECT_NE(kind_of(404, "Not Found"), base::Kind::not_found);
}

}  // namespace
}  // namespace slurm
