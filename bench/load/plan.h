// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace load {

// What a run of the load driver does.
enum class Verb {
  bare,    // create, label and bind the pods: the maximum of the API server
  create,  // create the pods and watch them
  clear,   // remove all pods of the namespace, with or without finalizers
};

// The stage that a pod has to reach before `create` is done with it.
enum class Until { created, labelled, explained, bound };

struct Plan {
  Verb verb = Verb::create;
  Until until = Until::bound;
  std::string kubeconfig;
  std::string ns = "slurm-bridge";
  std::string prefix = "load-";
  std::string scheduler = "nobody";
  std::vector<std::string> annotations = {};  // "key=value"
  std::string job_label;                      // label with a job id, if any
  std::int32_t pods = 1;
  std::int32_t connections = 16;
  std::int32_t per_second = 0;  // 0: as fast as possible
  std::int32_t nodes = 1;       // bare and placed: k001 to this number
  bool placed = false;          // created with a node
  base::Duration within = std::chrono::minutes(5);
};

base::Result<Verb> verb_named(const std::string& name);
base::Result<Until> until_named(const std::string& name);

}  // namespace load
