// SPDX-License-Identifier: Apache-2.0
#include "models/actors/kubelets.h"

#include "base/integer.h"
#include "models/actors/kubelet_status.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <utility>

namespace models::actors {

using namespace std::chrono_literals;

Kubelets::Pod::Pod(const json::Value& from)
    : object(from),
      ns(kube::text_at(from, {"metadata", "namespace"})),
      name(kube::text_at(from, {"metadata", "name"})),
      uid(kube::text_at(from, {"metadata", "uid"})),
      node(kube::text_at(from, {"spec", "nodeName"})),
      phase(kube::text_at(from, {"status", "phase"})),
      deleting(!kube::text_at(from, {"metadata", "deletionTimestamp"}).empty()) {}

void Kubelets::come_back(const std::string& node) {
  dead_.erase(node);
  for (const json::Value* object : server_.all("pods")) {
    const Pod pod(*object);
    if (pod.node == node) look_at(pod.ns, pod.name);
  }
}

void Kubelets::look_at(const std::string& ns, const std::string& name) {
  const json::Value* object = server_.find({"pods", ns, name});
  if (object == nullptr) return;
  const Pod pod(*object);
  if (pod.node.empty() || dead(pod.node)) return;
  if (pod.deleting) return take_away(pod);
  if (pod.phase == "Pending") return start(pod);
  if (pod.phase == "Running") end_in_time(pod);
}

void Kubelets::later(base::Duration delay, const Pod& pod, std::function<void(const Pod&)> what) {
  agenda_.in(delay, [this, ns = pod.ns, name = pod.name, uid = pod.uid, what = std::move(what)] {
    const json::Value* object = server_.find({"pods", ns, name});
    if (object == nullptr) return;
    const Pod now(*object);
    if (now.uid != uid) return;
    if (dead(now.node)) {
      planned_.clear();  // all pods are examined again when the node comes back
      return;
    }
    what(now);
  });
}

void Kubelets::start(const Pod& pod) {
  if (!planned_.insert(pod.uid + "/start").second) return;
  later(options_.some_time(20ms, 800ms), pod, [this](const Pod& now) {
    planned_.erase(now.uid + "/start");
    if (!now.deleting && now.phase == "Pending") set_phase(now, "Running");
  });
}

void Kubelets::end_in_time(const Pod& pod) {
  const auto seconds = base::parse_integer<std::uint32_t>(
      kube::text_at(pod.object, {"metadata", "annotations", "slurm-bridge.dev/run-seconds"}));
  if (!seconds.ok() || !planned_.insert(pod.uid + "/end").second) return;
  const bool fails =
      pod.name.contains("fail") ||
      kube::text_at(pod.object, {"metadata", "annotations", "slurm-bridge.dev/exit"}) == "failed";
  const std::string phase = fails ? "Failed" : "Succeeded";
  later(std::chrono::seconds(*seconds), pod, [this, phase](const Pod& now) {
    planned_.erase(now.uid + "/end");
    if (!now.deleting) set_phase(now, phase);
  });
}

void Kubelets::take_away(const Pod& pod) {
  if (!planned_.insert(pod.uid + "/stop").second) return;
  const base::Duration time = pod.ended() ? 10ms : options_.some_time(10ms, 6s);
  later(time, pod, [this](const Pod& now) {
    planned_.erase(now.uid + "/stop");
    const std::string uid = now.uid;
    net::http::Request request(
        "DELETE",
        fmt::format("/api/v1/namespaces/{}/pods/{}", now.ns, now.name),
        fmt::format(R"({{"gracePeriodSeconds":0,"preconditions":{{"uid":"{}"}}}})", uid));
    request.headers.emplace_back("Content-Type", "application/json");
    if (!now.ended()) set_phase(now, "Failed");
    (void)server_.handle(request);
    // A finalizer keeps the object: the kubelet has nothing left to do.
    planned_.insert(uid + "/stop");
  });
}

void Kubelets::set_phase(const Pod& pod, const std::string& phase) {
  const bool whole = options_.tells_containers;
  net::http::Request request("PATCH",
                             fmt::format("/api/v1/namespaces/{}/pods/{}/status", pod.ns, pod.name),
                             whole ? kubelet_status(pod.object, phase, agenda_.wall()).dump()
                                   : fmt::format(R"({{"status":{{"phase":"{}"}}}})", phase));
  request.headers.emplace_back(
      "Content-Type",
      whole ? "application/strategic-merge-patch+json" : "application/merge-patch+json");
  (void)server_.handle(request);
}

}  // namespace models::actors
