// SPDX-License-Identifier: Apache-2.0
// The columns of `kubectl get pods`.
#include "base/rfc3339.h"
#include "models/kube/json.h"
#include "models/kubectl/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace models::kubectl {
namespace {

std::int64_t number_at(const json::Value& value, kube::Way way) {
  const json::Value* there = kube::at(value, way);
  return there == nullptr || there->as_int() == nullptr ? 0 : *there->as_int();
}

bool is_true(const json::Value& value, kube::Way way) {
  const json::Value* there = kube::at(value, way);
  return there != nullptr && *there == json::Value(true);
}

const json::Value* condition(const json::Value& pod, std::string_view type) {
  const json::Array& all = kube::array_at(pod, {"status", "conditions"});
  const auto found = std::ranges::find_if(
      all, [&](const json::Value& one) { return kube::text_at(one, {"type"}) == type; });
  return found == all.end() ? nullptr : &*found;
}

// Why a container ended: its reason, else its signal or exit code.
std::string end_of(const json::Value& status) {
  const std::string_view reason = kube::text_at(status, {"state", "terminated", "reason"});
  if (!reason.empty()) return std::string(reason);
  const std::int64_t signal = number_at(status, {"state", "terminated", "signal"});
  if (signal != 0) return fmt::format("Signal:{}", signal);
  return fmt::format("ExitCode:{}", number_at(status, {"state", "terminated", "exitCode"}));
}

struct Containers {
  std::string reason = {};
  std::int64_t restarts = 0;
  std::int64_t ready = 0;
  bool any_running = false;
};

// The reason of the first init container that has not completed; empty if all have.
std::string unfinished_init(const json::Value& pod) {
  const json::Array& statuses = kube::array_at(pod, {"status", "initContainerStatuses"});
  const std::size_t all = kube::array_at(pod, {"spec", "initContainers"}).size();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const json::Value& status = statuses[i];
    const bool has_ended = kube::at(status, {"state", "terminated"}) != nullptr;
    if (has_ended && number_at(status, {"state", "terminated", "exitCode"}) == 0) continue;
    if (has_ended) return "Init:" + end_of(status);
    const std::string_view waiting = kube::text_at(status, {"state", "waiting", "reason"});
    if (!waiting.empty() && waiting != "PodInitializing") return fmt::format("Init:{}", waiting);
    return fmt::format("Init:{}/{}", i, all);
  }
  return "";
}

Containers look_at_containers(const json::Value& pod, std::string reason) {
  Containers seen{std::move(reason)};
  const json::Array& statuses = kube::array_at(pod, {"status", "containerStatuses"});
  for (auto status = statuses.rbegin(); status != statuses.rend(); ++status) {
    seen.restarts += number_at(*status, {"restartCount"});
    const std::string_view waiting = kube::text_at(*status, {"state", "waiting", "reason"});
    if (!waiting.empty()) {
      seen.reason = waiting;
    } else if (kube::at(*status, {"state", "terminated"}) != nullptr) {
      seen.reason = end_of(*status);
    } else if (is_true(*status, {"ready"}) && kube::at(*status, {"state", "running"}) != nullptr) {
      seen.any_running = true;
      ++seen.ready;
    }
  }
  return seen;
}

Containers summary(const json::Value& pod) {
  std::string reason(kube::text_at(pod, {"status", "phase"}));
  if (const std::string_view own = kube::text_at(pod, {"status", "reason"}); !own.empty())
    reason = own;
  const json::Value* scheduled = condition(pod, "PodScheduled");
  if (scheduled != nullptr && kube::text_at(*scheduled, {"reason"}) == "SchedulingGated") {
    reason = "SchedulingGated";
  }
  Containers seen;
  if (std::string init = unfinished_init(pod); !init.empty()) {
    seen.reason = std::move(init);
  } else {
    seen = look_at_containers(pod, std::move(reason));
    const json::Value* ready = condition(pod, "Ready");
    const bool is_ready = ready != nullptr && kube::text_at(*ready, {"status"}) == "True";
    if (seen.reason == "Completed" && seen.any_running) {
      seen.reason = is_ready ? "Running" : "NotReady";
    }
  }
  const std::string_view phase = kube::text_at(pod, {"status", "phase"});
  if (kube::at(pod, {"metadata", "deletionTimestamp"}) != nullptr) {
    if (kube::text_at(pod, {"status", "reason"}) == "NodeLost") {
      seen.reason = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      seen.reason = "Terminating";
    }
  }
  return seen;
}

std::string_view or_none(std::string_view text) {
  return text.empty() ? "<none>" : text;
}

}  // namespace

json::Array pod_cells(const json::Value& pod, base::WallTime now) {
  const Containers seen = summary(pod);
  return {fmt::format("{}/{}", seen.ready, kube::array_at(pod, {"spec", "containers"}).size()),
          seen.reason,
          std::to_string(seen.restarts),
          age(kube::text_at(pod, {"metadata", "creationTimestamp"}), now),
          or_none(kube::text_at(pod, {"status", "podIP"})),
          or_none(kube::text_at(pod, {"spec", "nodeName"})),
          or_none(kube::text_at(pod, {"status", "nominatedNodeName"})),
          "<none>"};
}

}  // namespace models::kubectl
