// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>

// The recorded answers have the same members, with the same types, as the model's answers.
namespace models::slurm {
namespace {

using json::Value;
using testing::Cluster;

std::string_view type_of(const Value& value) {
  if (value.is_null()) return "null";
  if (value.as_bool() != nullptr) return "boolean";
  if (value.as_int() != nullptr) return "integer";
  if (value.as_double() != nullptr) return "number";
  if (value.as_string() != nullptr) return "string";
  return value.as_array() != nullptr ? "array" : "object";
}

// In lists, the first element represents all.
void compare(const Value& real, const Value& ours, const std::string& path, std::string& out) {
  if (type_of(real) != type_of(ours)) {
    out += fmt::format("{}: real is {}, model {}\n", path, type_of(real), type_of(ours));
    return;
  }
  if (const json::Array* elements = real.as_array()) {
    const json::Array& own = *ours.as_array();
    if (!elements->empty() && !own.empty())
      compare(elements->front(), own.front(), path + "[]", out);
    return;
  }
  const json::Object* object = real.as_object();
  if (object == nullptr) return;
  for (const json::Member& member : *object) {
    const Value* other = ours.find(member.key);
    const std::string there = path + "." + member.key;
    if (other == nullptr) {
      out += there + ": missing\n";
    } else {
      compare(member.value, *other, there, out);
    }
  }
  for (const json::Member& member : *ours.as_object()) {
    if (real.find(member.key) == nullptr) out += path + "." + member.key + ": real has none\n";
  }
}

struct Row {
  std::string fixture;
  std::string version;
  std::string method;
  std::string path;
};

// In a cluster where job 1 runs with GPUs, 2 is held, 3 was cancelled and 4 is suspended.
const Row kRows[] = {
    {"cancel-again", std::string(kApi45), "DELETE", "/job/3"},
    {"cancel-unknown", std::string(kApi45), "DELETE", "/job/99"},
    {"get-unknown", std::string(kApi45), "GET", "/job/99"},
    {"job-get-running", std::string(kApi45), "GET", "/job/1"},
    {"job-running-v43", std::string(kApi43), "GET", "/job/1"},
    {"job-pending", std::string(kApi45), "GET", "/job/2?flags=ALL"},
    {"jobs-state-all", std::string(kApi45), "GET", "/jobs/state/"},
    {"jobs-state-unknown", std::string(kApi45), "GET", "/jobs/state/?job_id=99"},
    {"nodes", std::string(kApi45), "GET", "/nodes/"},
    {"nodes-update_time-now", std::string(kApi45), "GET", "/nodes/?update_time=1800000000"},
    {"ping", std::string(kApi45), "GET", "/ping/"},
    {"resources", std::string(kApi45), "GET", "/resources/1"},
    {"resources-not-running", std::string(kApi45), "GET", "/resources/2"},
    {"resources-suspended", std::string(kApi45), "GET", "/resources/4"},
    {"cancel-default", std::string(kApi45), "DELETE", "/job/2"},
    {"err-future-api-version", "v0.0.46", "GET", "/ping/"},
};

std::string compared(const Value& sample, const testing::Reply& reply) {
  if (*sample.find("status")->as_int() != reply.status) {
    return fmt::format("status {}: {}", reply.status, reply.text);
  }
  const Value& real = *sample.find("response");
  std::string out;
  if (real.is_null()) return reply.text;
  if (real.as_string() != nullptr) return reply.text == *real.as_string() ? "" : reply.text;
  compare(real, reply.body(), "", out);
  return out;
}

TEST(SlurmShape, AnswersHaveTheMembersOfTheRecordedOnes) {
  for (const Row& row : kRows) {
    Cluster cluster;
    cluster.submit(R"({"tres_per_node":"gres/gpu:a100:2"})");
    cluster.submit(R"({"hold":true})");
    cluster.submit();
    cluster.submit();
    cluster.settle();
    cluster.slurm.end(3, "CANCELLED", "");
    cluster.slurm.suspend(4);
    const auto reply =
        cluster.ask_version(row.version, "slurm", net::http::Request(row.method, row.path));
    EXPECT_EQ(compared(testing::file("slurm/" + row.fixture + ".json"), reply), "") << row.fixture;
  }
}

// The recorded submits themselves, in a cluster that has their partition.
TEST(SlurmShape, TheRecordedSubmitsAreAnsweredAsTheyWere) {
  for (const char* name : {"submit-external",
                           "submit-held",
                           "err-admin-comment-as-user",
                           "err-bad-account",
                           "err-bad-gres",
                           "err-bad-partition",
                           "err-bad-qos",
                           "err-bad-required-node",
                           "err-empty-object",
                           "err-external-with-script",
                           "err-too-many-nodes",
                           "err-too-much-memory",
                           "err-unknown-field",
                           "err-unknown-flag",
                           "err-wrong-type",
                           "err-bad-json"}) {
    SlurmOptions options = testing::four_nodes();
    options.partitions = {{"ext", {}, {}}};
    Cluster cluster(options);
    const Value sample = testing::file(fmt::format("slurm/{}.json", name));
    const Value& body = *sample.find("request")->find("body");
    const auto reply =
        cluster.ask_as(*sample.find("request")->find("user")->as_string(),
                       "POST",
                       "/job/submit",
                       body.as_string() != nullptr ? *body.as_string() : body.dump());
    EXPECT_EQ(compared(sample, reply), "") << name;
    if (reply.text.starts_with('{')) {
      const Value& real = *sample.find("response");
      for (const char* key : {"errors", "warnings"}) {
        EXPECT_EQ(reply.get({key}), testing::at(real, {key})) << name;
      }
    }
  }
}

}  // namespace
}  // namespace models::slurm
