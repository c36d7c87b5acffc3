// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/job_request.h"

#include "json/value.h"

#include <gtest/gtest.h>

namespace slurm::inline api {
namespace {

json::Value parsed(const std::string& text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return std::move(value).value();
}

const json::Value& job_of(const json::Value& body) {
  return *body.find("job");
}

std::vector<SlurmNodeName> names(std::initializer_list<const char*> list) {
  std::vector<SlurmNodeName> nodes;
  for (const char* name : list) nodes.emplace_back(name);
  return nodes;
}

JobRequest single_pod() {
  JobRequest request;
  request.admin_comment = R"({"pods":["slurm-bridge/pod-single"]})";
  request.name = "pod-single";
  request.partition = "slurm-bridge";
  request.mcs_label = "kubernetes";
  request.cpus_per_task = 1;
  request.memory_per_node_mib = 100;
  request.maximum_nodes = 1;
  request.tasks_per_node = 1;
  request.time_limit_minutes = 1;
  request.exclusive = true;
  return request;
}

TEST(SubmitBody, IsTheReferencesExample) {
  JobRequest request = single_pod();
  request.required_nodes = names({"n1", "n2", "n3"});
  EXPECT_EQ(parsed(submit_body(request)), parsed(R"(
{"job":{"admin_comment":"{\"pods\":[\"slurm-bridge/pod-single\"]}","cpus_per_task":1,
 "current_working_directory":"/tmp","flags":["EXTERNAL_JOB"],"maximum_nodes":1,"mcs_label":"kubernetes",
 "memory_per_node":{"infinite":false,"number":100,"set":true},"name":"pod-single","nodes":"1",
 "partition":"slurm-bridge","priority":{"set":false},"required_nodes":["n1","n2","n3"],
 "shared":["none"],"tasks_per_node":1,"time_limit":{"infinite":false,"number":1,"set":true}}})"));
}

TEST(SubmitBody, SendsOnlyWhatIsAlwaysSentForAnEmptyRequest) {
  EXPECT_EQ(parsed(submit_body(JobRequest())), parsed(R"(
{"job":{"admin_comment":"","current_working_directory":"/tmp","flags":["EXTERNAL_JOB"],"mcs_label":"",
 "memory_per_node":{"set":false},"nodes":"1","partition":"","priority":{"set":false},"shared":[],
 "time_limit":{"set":false}}})"));
}

TEST(SubmitBody, SendsEveryMemberThatIsSet) {
  JobRequest request = single_pod();
  request.account = "team1";
  request.qos = "high";
  request.constraints = "k8s&zone_a";
  request.licenses = "matlab:2";
  request.reservation = "friday";
  request.wckey = "w";
  request.tres_per_node = "gres/gpu:a100:2";
  request.user_id = "alice";
  request.group_id = "2001";
  request.nodes = 4;
  request.minimum_nodes = 4;
  request.tasks = 8;
  request.priority = 4294901759U;
  request.exclusive = false;
  request.excluded_nodes = names({"k001"});
  const json::Value body = parsed(submit_body(request));
  const json::Value& job = job_of(body);
  const std::pair<const char*, json::Value> kWant[] = {
      {"account", "team1"},
      {"qos", "high"},
      {"constraints", "k8s&zone_a"},
      {"licenses", "matlab:2"},
      {"reservation", "friday"},
      {"wckey", "w"},
      {"tres_per_node", "gres/gpu:a100:2"},
      {"user_id", "alice"},
      {"group_id", "2001"},
      {"nodes", "4"},
      {"minimum_nodes", 4},
      {"tasks", 8},
      {"priority", json::Object{{"infinite", false}, {"number", 4294901759U}, {"set", true}}},
      {"shared", json::Array{}},
      {"excluded_nodes", json::Array{"k001"}},
  };
  for (const auto& [key, want] : kWant) {
    ASSERT_NE(job.find(key), nullptr) << key;
    EXPECT_EQ(*job.find(key), want) << key;
  }
  EXPECT_EQ(job.find("required_nodes"), nullptr);
}

TEST(SubmitBody, CarriesAnyTextUnharmed) {
  JobRequest request;
  request.admin_comment = "{\"pods\":[\"a/b\"],\"x\":\"\\\"\n\xC3\xA9\"}";
  const json::Value body = parsed(submit_body(request));
  EXPECT_EQ(*job_of(body).find("admin_comment")->as_string(), request.admin_comment);
}

TEST(SubmitBody, IsTheSameForTheSameRequest) {
  EXPECT_EQ(submit_body(single_pod()), submit_body(single_pod()));
}

}  // namespace
}  // namespace slurm::inline api
