// SPDX-License-Identifier: Apache-2.0
#include "kubelet.h"

#include "base/integer.h"

#include <fmt/format.h>

namespace sim {

using namespace std::chrono_literals;

namespace {

std::string path_of(const PodTruth& pod) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns, pod.name);
}

}  // namespace

void Kubelets::come_back(const std::string& node) {
  dead_.erase(node);
  for (const json::Value* object : server_.all("pods")) {
    const PodTruth pod = pod_truth(*object);
    if (pod.node == node) look_at(pod.ns, pod.name);
  }
}

void Kubelets::look_at(const std::string& ns, const std::string& name) {
  const json::Value* object = server_.find({"pods", ns, name});
  if (object == nullptr) return;
  const PodTruth pod = pod_truth(*object);
  if (!pod.bound() || dead(pod.node)) return;
  if (pod.deleting) return take_away(pod);
  if (pod.phase == "Pending") return start(pod);
  if (pod.phase != "Running") return;
  const std::string seconds =
      text_at(*object, {"metadata", "annotations", "slurm-bridge.dev/run-seconds"});
  if (const auto time = base::parse_integer<std::uint32_t>(seconds)) {
    const bool fails =
        pod.name.contains("fail") ||
        text_at(*object, {"metadata", "annotations", "slurm-bridge.dev/exit"}) == "failed";
    const std::string phase = fails ? "Failed" : "Succeeded";
    if (!planned_.insert(pod.uid + "/end").second) return;
    later(std::chrono::seconds(*time), pod, [this, phase](const PodTruth& now) {
      planned_.erase(now.uid + "/end");
      if (!now.deleting) set_phase(now, phase);
    });
  }
}

void Kubelets::later(base::Duration delay,
                     const PodTruth& pod,
                     std::function<void(const PodTruth&)> what) {
  agenda_.in(delay, [this, ns = pod.ns, name = pod.name, uid = pod.uid, what = std::move(what)] {
    const json::Value* object = server_.find({"pods", ns, name});
    if (object == nullptr) return;
    const PodTruth now = pod_truth(*object);
    if (now.uid != uid) return;
    if (dead(now.node)) {
      planned_.clear();  // all is looked at again when the node comes back
      return;
    }
    what(now);
  });
}

void Kubelets::start(const PodTruth& pod) {
  if (!planned_.insert(pod.uid + "/start").second) return;
  later(chance_.between(20ms, 800ms), pod, [this](const PodTruth& now) {
    planned_.erase(now.uid + "/start");
    if (!now.deleting && now.phase == "Pending") set_phase(now, "Running");
  });
}

void Kubelets::take_away(const PodTruth& pod) {
  if (!planned_.insert(pod.uid + "/stop").second) return;
  const base::Duration time = pod.ended() ? 10ms : chance_.between(10ms, 6s);
  later(time, pod, [this](const PodTruth& now) {
    planned_.erase(now.uid + "/stop");
    if (!now.ended()) set_phase(now, "Failed");
    net::http::Request request(
        "DELETE",
        path_of(now),
        fmt::format(R"({{"gracePeriodSeconds":0,"preconditions":{{"uid":"{}"}}}})", now.uid));
    request.headers.emplace_back("Content-Type", "application/json");
    (void)server_.handle(request);
    // A finalizer keeps it: there is nothing left to do for the kubelet.
    planned_.insert(now.uid + "/stop");
  });
}

void Kubelets::set_phase(const PodTruth& pod, const std::string& phase) {
  net::http::Request request(
      "PATCH", path_of(pod) + "/status", fmt::format(R"({{"status":{{"phase":"{}"}}}})", phase));
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  (void)server_.handle(request);
}

}  // namespace sim
