// SPDX-License-Identifier: Apache-2.0
#include "models/actors/kubelet_status.h"

#include "base/rfc3339.h"
#include "models/kube/json.h"

#include <string>

namespace models::actors {
namespace {

// A merge patch sets only the fields it contains: a null removes the former state of a container.
json::Object container_state(std::string_view phase, std::string_view began, std::string_view now) {
  if (phase == "Running") {
    return {{"waiting", nullptr}, {"running", json::Object{{"startedAt", now}}}};
  }
  const bool well = phase == "Succeeded";
  return {{"waiting", nullptr},
          {"running", nullptr},
          {"terminated",
           json::Object{{"exitCode", well ? 0 : 1},
                        {"reason", well ? "Completed" : "Error"},
                        {"startedAt", began.empty() ? now : began},
                        {"finishedAt", now}}}};
}

}  // namespace

json::Value kubelet_status(const json::Value& pod, std::string_view phase, base::WallTime wall) {
  const std::string now = base::format_rfc3339(wall);
  const std::string began(kube::text_at(pod, {"status", "startTime"}));
  const bool runs = phase == "Running";
  json::Array containers;
  for (const json::Value& container : kube::array_at(pod, {"spec", "containers"})) {
    containers.emplace_back(json::Object{{"name", kube::text_at(container, {"name"})},
                                         {"image", kube::text_at(container, {"image"})},
                                         {"imageID", "sandbox"},
                                         {"ready", runs},
                                         {"started", runs},
                                         {"restartCount", 0},
                                         {"state", container_state(phase, began, now)}});
  }
  json::Array conditions;
  for (const std::string_view type : {"Initialized", "ContainersReady", "Ready"}) {
    const bool holds = runs || type == "Initialized";
    conditions.emplace_back(json::Object{
        {"type", type}, {"status", holds ? "True" : "False"}, {"lastTransitionTime", now}});
  }
  json::Object status{{"phase", phase},
                      {"conditions", std::move(conditions)},
                      {"containerStatuses", std::move(containers)}};
  if (began.empty()) status.set("startTime", now);
  return json::Object{{"status", std::move(status)}};
}

}  // namespace models::actors
