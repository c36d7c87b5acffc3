// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sim {

// A pod as it really is, read from the model's own objects and by none of the product's code.
struct PodTruth {
  std::string ns;
  std::string name;
  std::string uid;
  std::string version;
  std::string scheduler;
  std::string node;
  std::string phase;
  std::string scheduled_reason;  // of the condition PodScheduled
  std::string scheduled_message;
  std::string node_annotation;
  std::string bound_since;           // when it was bound, comparable as text
  std::optional<std::uint32_t> job;  // the label
  bool finalizer = false;
  bool deleting = false;

  bool bound() const { return !node.empty(); }
  bool ended() const { return phase == "Succeeded" || phase == "Failed"; }
  std::string full_name() const { return ns + "/" + name; }
};

PodTruth pod_truth(const json::Value& object);

// What stands at a path of member names, as text; empty if nothing does.
std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path);

}  // namespace sim
