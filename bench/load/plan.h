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
  bare,    // create, label and bind the pods ourselves: what the API server can bear at most
  create,  // create them and see what becomes of them
  clear,   // remove all pods of the namespace, finalizers or not
};

// How far a pod has to come before `create` is satisfied with it.
enum class Until { created, labelled, explained, bound };

struct Plan {
  Verb verb = Verb::create;
  Until until = Until::bound;
  std::string kubeconfig;
  std::string ns = "slurm-bridge";
  std::string prefix = "load-";
  std::string scheduler = "nobody";
  std::vector<std::string> annotations = {};  // "key=value"
  std::string job_label;                      // where a scheduler writes a job's id, if it does
  std::int32_t pods = 1;
  std::int32_t connections = 16;
  std::int32_t per_second = 0;  // 0: as fast as it goes
  std::int32_t nodes = 1;       // bare and placed: k001 to this one
  bool placed = false;          // created with a node from the start
  base::Duration within = std::chrono::minutes(5);
};

base::Result<Verb> verb_named(const std::string& name);
base::Result<Until> until_named(const std::string& name);

}  // namespace load
