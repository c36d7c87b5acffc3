// SPDX-License-Identifier: Apache-2.0
#include "models/testing/slurm.h"

#include <gtest/gtest.h>

#include <algorithm>

// The same requests, sent to the model and before that to a real Slurm: tests/sim/oracle/replay.py.
namespace models::slurm {
namespace {

using json::Array;
using json::Object;
using json::Value;
using testing::Cluster;

bool holds(const Value& list, const std::string& text) {
  return std::ranges::count(*list.as_array(), Value(text)) > 0;
}

std::string name_of(const Value& value) {
  const Value* name = value.find("name");
  return name != nullptr && name->as_string() != nullptr ? *name->as_string() : "";
}

// As normal() of replay.py.
Value normal(const Value& value, const Value& mask, const Value& drop) {
  if (const Object* object = value.as_object()) {
    Object kept;
    for (const json::Member& member : *object) {
      kept.set(member.key, holds(mask, member.key) ? Value("*") : normal(member.value, mask, drop));
    }
    return kept;
  }
  if (const Array* array = value.as_array()) {
    Array kept;
    for (const Value& element : *array) {
      if (element.as_string() != nullptr && holds(drop, *element.as_string())) continue;
      kept.push_back(normal(element, mask, drop));
    }
    const bool named =
        std::ranges::none_of(kept, [](const Value& v) { return name_of(v).empty(); });
    if (named) std::ranges::sort(kept, {}, name_of);
    return kept;
  }
  return value;
}

void differences(const Value& real, const Value& ours, const std::string& path, std::string& out) {
  if (real == ours) return;
  const Object* real_object = real.as_object();
  const Object* our_object = ours.as_object();
  if (real_object != nullptr && our_object != nullptr) {
    for (const json::Member& member : *real_object) {
      const Value* other = our_object->find(member.key);
      const std::string there = path + "." + member.key;
      if (other == nullptr) {
        out += fmt::format("  {}: missing, real has {}\n", there, member.value.dump());
      } else {
        differences(member.value, *other, there, out);
      }
    }
    for (const json::Member& member : *our_object) {
      if (real_object->find(member.key) == nullptr) {
        out += fmt::format("  {}.{}: real has none\n", path, member.key);
      }
    }
    return;
  }
  const Array* real_array = real.as_array();
  const Array* our_array = ours.as_array();
  if (real_array != nullptr && our_array != nullptr && real_array->size() == our_array->size()) {
    for (std::size_t i = 0; i < real_array->size(); ++i) {
      differences((*real_array)[i], (*our_array)[i], fmt::format("{}[{}]", path, i), out);
    }
    return;
  }
  out += fmt::format("  {}: real {}, model {}\n", path, real.dump(), ours.dump());
}

// The configuration of tools/devcluster with --nodes 4 --dynamic 1.
SlurmOptions devcluster() {
  SlurmOptions options = testing::four_nodes();
  SlurmNode made = options.nodes.front();
  made.name = "d001";
  made.dynamic = true;
  SlurmNode real;
  real.name = "r1";
  real.external = false;
  real.cpus = 8;
  real.sockets = 8;
  real.memory_mb = 16000;
  real.features = {"real"};
  options.nodes.push_back(made);
  options.nodes.push_back(real);
  const std::vector<std::string> all{"d001", "k001", "k002", "k003", "k004"};
  options.partitions = {{"slurm-bridge", all, {}},
                        {"small", {"k001", "k002"}, {}},
                        {"preemptable", all, {}},
                        {"short", all, 1},
                        {"real", {"r1"}, {}}};
  options.users = {"root", "slurm", "alice", "bob"};
  return options;
}

Value replayed(Cluster& cluster, const Value& step) {
  const auto text = [&](const char* key, std::string_view otherwise) {
    const Value* value = step.find(key);
    return value == nullptr ? std::string(otherwise) : *value->as_string();
  };
  const Value* body = step.find("body");
  const std::string sent = body != nullptr ? body->dump() : text("text", "");
  const auto reply =
      cluster.ask_version(text("version", kNewestApi),
                          text("user", "slurm"),
                          net::http::Request(text("method", ""), text("path", ""), sent));
  const auto parsed = json::parse(reply.text);
  return Object{{"status", reply.status}, {"body", parsed.ok() ? *parsed : Value(reply.text)}};
}

class SlurmHistory : public ::testing::TestWithParam<std::string> {};

TEST_P(SlurmHistory, TheModelAnswersAsTheRealOneDid) {
  const Value history = testing::file("slurm-histories/" + GetParam() + ".requests.json");
  const Value real = testing::file("slurm-histories/" + GetParam() + ".answers.json");
  const Value& mask = *history.find("mask");
  const Value& drop = *history.find("drop");
  Cluster cluster(devcluster());
  std::size_t asked = 0;
  for (const Value& step : *history.find("steps")->as_array()) {
    if (const Value* wait = step.find("wait")) {
      cluster.advance(std::chrono::seconds(*wait->as_int()));
      continue;
    }
    const Value ours = normal(replayed(cluster, step), mask, drop);
    std::string found;
    ASSERT_LT(asked, real.as_array()->size());
    differences((*real.as_array())[asked++], ours, "", found);
    EXPECT_EQ(found, "") << "request " << asked << ": " << step.dump();
  }
}

INSTANTIATE_TEST_SUITE_P(Real,
                         SlurmHistory,
                         ::testing::Values("life", "versions", "refusals", "nodes", "waiting"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace models::slurm
