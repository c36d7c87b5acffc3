// SPDX-License-Identifier: Apache-2.0
#include "kube_actors.h"

#include "base/rfc3339.h"
#include "json/pointer.h"
#include "models/kube/json.h"

#include <fmt/format.h>

namespace opsim {
namespace {

using models::kube::text_at;

const std::string kPods = "/api/v1/namespaces/hpc/pods";

std::string uid_of(const json::Value& object) {
  return std::string(text_at(object, {"metadata", "uid"}));
}
std::string name_of(const json::Value& object) {
  return std::string(text_at(object, {"metadata", "name"}));
}
std::int64_t int_at(const json::Value& object, const json::Pointer& place, std::int64_t otherwise) {
  const json::Value* found = json::find(object, place);
  return found != nullptr && found->as_int() != nullptr ? *found->as_int() : otherwise;
}
bool is_worker(const json::Value& pod) {
  return !text_at(pod, {"metadata", "labels", "slurm.nebius.ai/nodeset"}).empty();
}
bool is_deleting(const json::Value& object) {
  return json::find(object, {"metadata", "deletionTimestamp"}) != nullptr;
}

}  // namespace

base::Duration KubeActors::some(int least_ms, int most_ms) {
  return chance_.between(std::chrono::milliseconds(least_ms), std::chrono::milliseconds(most_ms));
}

void KubeActors::send(std::string method, std::string target, std::string body) {
  acting_ = true;
  world_.send(std::move(method), std::move(target), std::move(body));
  acting_ = false;
}

void KubeActors::tick() {
  constexpr int kSlowly = 20;  // the garbage collector and the controllers look at every object
  if (++ticks_ % kSlowly == 0) tend_slowly();
  tend_pods();
}

void KubeActors::tend_slowly() {
  acting_ = true;
  while (world_.server.collect_garbage()) {
  }
  acting_ = false;
  const std::string apps = "/apis/apps/v1/namespaces/hpc/";
  for (const char* plural : {"statefulsets", "deployments"}) {
    std::vector<json::Value> objects;  // a copy: the writes change the collection
    for (const json::Value* object : world_.server.all(plural)) objects.push_back(*object);
    for (const json::Value& object : objects)
      tend_workload(object, apps + plural + "/" + name_of(object) + "/status");
  }
  tend_controller_pod();
}

void KubeActors::tend_pods() {
  std::vector<json::Value> pods;
  std::set<std::string> uids;
  for (const json::Value* pod : world_.server.all("pods")) pods.push_back(*pod);
  for (const json::Value& pod : pods) {
    uids.insert(uid_of(pod));
    if (is_worker(pod)) tend_pod(pod);
  }
  forget_gone_pods(uids);
}

void KubeActors::tend_workload(const json::Value& object, const std::string& path) {
  const std::int64_t generation = int_at(object, {"metadata", "generation"}, 1);
  const std::string version = fmt::format("{}/{}", uid_of(object), generation);
  const auto [entry, is_new] = ready_at_.try_emplace(version, world_.loop.in(some(500, 8000)));
  if (world_.loop.now() < entry->second) return;
  if (int_at(object, {"status", "observedGeneration"}, 0) == generation) return;
  const std::int64_t replicas = int_at(object, {"spec", "replicas"}, 1);
  send("PATCH",
       path,
       json::Value(json::Object{{"status",
                                 json::Object{{"observedGeneration", generation},
                                              {"replicas", replicas},
                                              {"readyReplicas", replicas},
                                              {"updatedReplicas", replicas},
                                              {"availableReplicas", replicas}}}})
           .dump());
}

// The agent is reached through the controller pod.
void KubeActors::tend_controller_pod() {
  const json::Value* set = world_.find("statefulsets", "hpc", "controller");
  if (set == nullptr || world_.find("pods", "hpc", "controller-0") != nullptr) return;
  const json::Value* labels = json::find(*set, {"spec", "template", "metadata", "labels"});
  json::Object pod{
      {"metadata",
       json::Object{{"name", "controller-0"},
                    {"labels", labels == nullptr ? json::Value(json::Object{}) : *labels},
                    {"ownerReferences",
                     json::Array{json::Object{{"apiVersion", "apps/v1"},
                                              {"kind", "StatefulSet"},
                                              {"name", "controller"},
                                              {"uid", uid_of(*set)},
                                              {"controller", true}}}}}},
      {"spec", json::Object{{"containers", json::Array{json::Object{{"name", "slurmctld"}}}}}}};
  send("POST", kPods, json::Value(std::move(pod)).dump());
  send("PATCH",
       kPods + "/controller-0/status",
       R"({"status":{"phase":"Running","podIP":"10.0.0.1"}})");
}

void KubeActors::tend_pod(const json::Value& pod) {
  const std::string uid = uid_of(pod);
  const std::string name = name_of(pod);
  const auto [entry, is_new] = lives_.try_emplace(uid);
  PodLife& life = entry->second;
  if (is_new) {
    names_[uid] = name;
    life.runs_at = world_.loop.in(some(300, 15000));
  }
  if (is_deleting(pod)) {
    if (life.ends_at == base::kNever) life.ends_at = world_.loop.in(some(100, 6000));
    if (world_.loop.now() >= life.ends_at)
      send("DELETE", kPods + "/" + name, R"({"gracePeriodSeconds":0})");
    return;
  }
  if (!life.running && !life.failed && world_.loop.now() >= life.runs_at) run(name, life);
  if (life.running && world_.loop.now() >= life.registers_at) {
    life.registers_at = base::kNever;
    slurm_.registers(
        name,
        running_slurmd(name),
        chance_.one_in(3) ? SlurmModel::OldJobs::stay_as_ghosts : SlurmModel::OldJobs::end);
  }
}

void KubeActors::run(const std::string& name, PodLife& life) {
  const json::Value* pod = world_.find("pods", "hpc", name);
  if (pod != nullptr && text_at(*pod, {"spec", "nodeName"}).empty()) {
    send("POST",
         kPods + "/" + name + "/binding",
         R"({"target":{"kind":"Node","name":"k1"},"metadata":{"name":")" + name + R"("}})");
  }
  life.running = true;
  life.registers_at = world_.loop.in(some(100, 4000));
  write_status(name, life, "Running");
}

void KubeActors::write_status(const std::string& name,
                              const PodLife& life,
                              std::string_view phase) {
  const std::string started = base::format_rfc3339(world_.clock.wall());
  const json::Object state = life.running
                                 ? json::Object{{"running", json::Object{{"startedAt", started}}}}
                                 : json::Object{{"terminated", json::Object{{"exitCode", 1}}}};
  json::Object status{{"phase", phase},
                      {"podIP", "10.0.0.9"},
                      {"containerStatuses",
                       json::Array{json::Object{{"name", "slurmd"},
                                                {"ready", life.running},
                                                {"restartCount", life.restarts},
                                                {"state", state}}}}};
  send("PATCH",
       kPods + "/" + name + "/status",
       json::Value(json::Object{{"status", std::move(status)}}).dump());
}

KubeActors::PodLife* KubeActors::find(const std::string& name) {
  const json::Value* pod = world_.find("pods", "hpc", name);
  if (pod == nullptr || is_deleting(*pod)) return nullptr;
  const auto life = lives_.find(uid_of(*pod));
  return life == lives_.end() || !life->second.running ? nullptr : &life->second;
}

void KubeActors::fail_pod(const std::string& name) {
  PodLife* life = find(name);
  if (life == nullptr) return;
  slurm_.stops_responding(name);
  life->running = false;
  life->failed = true;
  write_status(name, *life, "Failed");
}

void KubeActors::restart_container(const std::string& name) {
  PodLife* life = find(name);
  if (life == nullptr) return;
  slurm_.stops_responding(name);
  ++life->restarts;
  life->registers_at = world_.loop.in(some(300, 3000));
  write_status(name, *life, "Running");
}

void KubeActors::delete_pod(const std::string& name) {
  if (find(name) != nullptr) send("DELETE", kPods + "/" + name, R"({"gracePeriodSeconds":30})");
}

std::vector<std::string> KubeActors::workers() const {
  std::vector<std::string> names;
  for (const json::Value* pod : world_.server.all("pods")) {
    if (is_worker(*pod)) names.push_back(name_of(*pod));
  }
  return names;
}

std::string KubeActors::running_slurmd(const std::string& name) const {
  const json::Value* pod = world_.find("pods", "hpc", name);
  if (pod == nullptr) return {};
  const auto life = lives_.find(uid_of(*pod));
  if (life == lives_.end() || !life->second.running) return {};
  return fmt::format("{}#{}", life->first, life->second.restarts);
}

void KubeActors::forget_gone_pods(const std::set<std::string>& uids) {
  for (auto entry = lives_.begin(); entry != lives_.end();) {
    if (uids.contains(entry->first)) {
      ++entry;
      continue;
    }
    const std::string& name = names_[entry->first];
    const auto node = slurm_.nodes().find(name);
    if (node != slurm_.nodes().end() && node->second.pod_uid.starts_with(entry->first + "#"))
      slurm_.stops_responding(name);
    entry = lives_.erase(entry);
  }
}

}  // namespace opsim
