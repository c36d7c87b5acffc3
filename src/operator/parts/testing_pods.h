// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/parts/parts.h"
#include "operator/parts/testing_components.h"

#include <string>
#include <utility>
#include <vector>

// For tests only: all objects with pods, and the containers in them.
namespace slurmop::parts {

inline void append(const base::Result<Objects>& objects, Objects& all) {
  ASSERT_TRUE(objects.ok()) << objects.error().message();
  all.insert(all.end(), objects->begin(), objects->end());
}

inline Objects component_objects(const Cluster& cluster) {
  Objects all;
  append(controller(cluster), all);
  append(rest(cluster), all);
  append(workers(cluster), all);
  append(login(cluster), all);
  append(accounting(cluster), all);
  for (const settle::WorkerSet& set : cluster.worker_sets) {
    all.push_back(worker_pod(cluster, set, 0));
    append(worker_claims(cluster, set, 0), all);
  }
  return all;
}

// The pod, or the pod of the template.
inline json::Value pod_in(const json::Object& object) {
  const json::Value whole(object);
  if (*object.find("kind") == json::Value("Pod")) return at(whole, {"spec"});
  return at(whole, {"spec", "template", "spec"});
}

inline std::vector<json::Value> containers_in(const Objects& objects) {
  std::vector<json::Value> all;
  for (const json::Object& object : objects) {
    const json::Value pod = pod_in(object);
    for (const char* list : {"initContainers", "containers"}) {
      const json::Value containers = at(pod, {list});
      if (containers.as_array() == nullptr) continue;
      all.insert(all.end(), containers.as_array()->begin(), containers.as_array()->end());
    }
  }
  return all;
}

// The script of a container; empty if it runs none.
inline std::string script_in(const json::Value& container) {
  const json::Value shell = at(container, {"command", "0"});
  const json::Value text = at(container, {"command", "2"});
  return shell == json::Value("bash") && text.as_string() != nullptr ? *text.as_string() : "";
}

}  // namespace slurmop::parts
