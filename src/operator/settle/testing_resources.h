// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/settle/cluster.h"
#include "source_tree.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// For tests only: resources as the API server sends them.
namespace slurmop::settle {

inline json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : json::Value();
}

// The object with a namespace and a uid.
inline json::Value stored(json::Value object) {
  json::Value* metadata = object.as_object()->find("metadata");
  const std::string name = *metadata->find("name")->as_string();
  metadata->as_object()->set("namespace", "slurm");
  metadata->as_object()->set("uid", "uid-of-" + name);
  return object;
}

// A file of tests/fixtures/operator.
inline json::Value fixture(const std::string& name) {
  std::ifstream file(in_source_tree("tests/fixtures/operator/" + name));
  std::ostringstream text;
  text << file.rdbuf();
  return parsed(text.str());
}

inline json::Value resource(std::string_view name, std::string_view spec) {
  json::Object object{{"metadata", json::Object{{"name", std::string(name)}}}};
  object.set("spec", parsed(spec));
  return stored(object);
}

// One cluster of the golden files, with its NodeSets.
struct Example {
  std::string name;  // folder of tests/golden/operator/settle
  json::Value cluster;
  std::vector<json::Value> node_sets = {};
};

inline std::vector<Example> examples() {
  std::vector<json::Value> reference_sets;
  for (const json::Value& one : *fixture("reference_node_sets.json").find("items")->as_array()) {
    reference_sets.push_back(stored(one));
  }
  return {{"seed", stored(fixture("seed_worker_form.json"))},
          {"reference", stored(fixture("reference_cluster.json")), reference_sets},
          {"munge", stored(fixture("munge_cluster.json"))},
          {"external-database", stored(fixture("external_database.json"))}};
}

inline std::string text_of(const api::Findings& findings) {
  std::string text;
  for (const api::FieldError& error : findings.errors) text += error.to_string() + "\n";
  return text;
}

// Fails the test if the resources are not valid.
inline std::optional<Cluster> settled(const Example& example, const Recorded& recorded = {}) {
  Settled result = settle(example.cluster, example.node_sets, recorded, {});
  EXPECT_EQ(text_of(result.findings), "") << example.name;
  return std::move(result.cluster);
}

}  // namespace slurmop::settle
