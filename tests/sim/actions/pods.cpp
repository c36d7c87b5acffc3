// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {

std::string create_pod(World& world, const Draw& draw, const PodWish& wish) {
  const std::string name = fmt::format("{}-{}", wish.name, draw[0] % 6);
  std::string annotations(wish.annotations);
  if (wish.ends) {
    annotations += fmt::format("{}\"slurm-bridge.dev/run-seconds\":\"{}\"",
                               annotations.empty() ? "" : ",",
                               1 + draw[1] % 20);
  }
  // Half of the pods share their node with others.
  if (draw[2] % 2 == 0) {
    annotations += fmt::format("{}\"slurmjob.slinky.slurm.net/exclusive\":\"false\"",
                               annotations.empty() ? "" : ",");
  }
  net::http::Request request(
      "POST",
      fmt::format("/api/v1/namespaces/{}/pods", kNamespace),
      fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{{}}}}},"spec":{{)"
                  R"("schedulerName":"{}","containers":[{{"name":"c","image":"i",)"
                  R"("resources":{{"requests":{{"cpu":"{}","memory":"1Gi"}}}}}}]{}}}}})",
                  name,
                  annotations,
                  wish.scheduler,
                  wish.cpus,
                  wish.spec));
  request.headers.emplace_back("Content-Type", "application/json");
  const net::http::Response answer = world.as_user(std::move(request));
  if (answer.status != 201) return "";
  return fmt::format("creates pod {}", name);
}

namespace {

std::string create_plain(World& world, const Draw& draw) {
  return create_pod(world, draw, {.name = "p", .cpus = static_cast<unsigned>(1 + draw[3] % 8)});
}
std::string create_failing(World& world, const Draw& draw) {
  return create_pod(world, draw, {.name = "fail"});
}
std::string create_endless(World& world, const Draw& draw) {
  return create_pod(world, draw, {.name = "endless", .ends = false});
}
std::string create_urgent(World& world, const Draw& draw) {
  return create_pod(
      world,
      draw,
      {.name = "urgent", .annotations = R"("slurmjob.slinky.slurm.net/qos":"urgent")"});
}
// A pod whose job is preempted with a grace time.
std::string create_humble(World& world, const Draw& draw) {
  return create_pod(world,
                    draw,
                    {.name = "humble",
                     .annotations = R"("slurmjob.slinky.slurm.net/qos":"low")",
                     .cpus = static_cast<unsigned>(1 + draw[3] % 8),
                     .ends = draw[3] % 2 == 0});
}
// A pod with a nodeSelector that some nodes or no node matches.
std::string create_picky(World& world, const Draw& draw) {
  static constexpr std::string_view kDisks[] = {"ssd", "hdd", "tape"};
  const std::string spec =
      fmt::format(R"(,"nodeSelector":{{"disk":"{}"}})", kDisks[draw[3] % std::size(kDisks)]);
  return create_pod(world, draw, {.name = "picky", .spec = spec});
}
std::string create_foreign(World& world, const Draw& draw) {
  return create_pod(world, draw, {.name = "foreign", .scheduler = kOtherScheduler, .ends = false});
}
std::string create_in_time_limit(World& world, const Draw& draw) {
  return create_pod(world,
                    draw,
                    {.name = "limited",
                     .annotations = R"("slurmjob.slinky.slurm.net/timelimit":"1")",
                     .ends = false});
}

// One of the existing pods.
const PodTruth* any_pod(World& world, std::uint64_t number) {
  if (world.pods().empty()) return nullptr;
  auto place = world.pods().begin();
  std::advance(place, static_cast<std::ptrdiff_t>(number % world.pods().size()));
  return &place->second;
}

std::string path_of(const PodTruth& pod) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns, pod.name);
}

std::string remove(World& world, const Draw& draw) {
  const PodTruth* pod = any_pod(world, draw[0]);
  if (pod == nullptr) return "";
  std::string text = fmt::format("deletes pod {}", pod->full_name());
  (void)world.as_user(net::http::Request("DELETE", path_of(*pod)));
  return text;
}

// The bridge observes both deletions at once, or either one first.
std::string remove_both(World& world, const Draw& draw) {
  const PodTruth* pod = any_pod(world, draw[0]);
  if (pod == nullptr || !pod->job) return "";
  const std::uint32_t job = *pod->job;
  std::string text = fmt::format("deletes pod {} and job {} at once", pod->full_name(), job);
  const std::string path = path_of(*pod);
  if (draw[1] % 2 == 0) (void)world.as_user(net::http::Request("DELETE", path));
  if (!world.slurm().end(job, "CANCELLED", "None") && draw[1] % 2 != 0) return "";
  if (draw[1] % 2 != 0) (void)world.as_user(net::http::Request("DELETE", path));
  return text;
}

std::string touch(World& world, const Draw& draw) {
  const PodTruth* pod = any_pod(world, draw[0]);
  if (pod == nullptr) return "";
  net::http::Request request(
      "PATCH",
      path_of(*pod),
      fmt::format(R"({{"metadata":{{"annotations":{{"note":"{}"}}}}}})", draw[1] % 1000));
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  std::string text = fmt::format("annotates pod {}", pod->full_name());
  (void)world.as_user(std::move(request));
  return text;
}

// As a user by mistake, or a tool that writes all labels of a pod; the job stays. The pod with the
// oldest job is used, because I1 detects a second job only if the first one is old.
std::string remove_job_label(World& world, const Draw&) {
  if (world.slurm_crashed()) return "";  // then I1 does not detect a second job
  const PodTruth* oldest = nullptr;
  for (const auto& [uid, pod] : world.pods()) {
    if (!pod.ours() || !pod.job || pod.bound() || pod.deleting) continue;
    if (oldest == nullptr || *pod.job < *oldest->job) oldest = &pod;
  }
  if (oldest == nullptr) return "";
  std::string text =
      fmt::format("removes the label of job {} from {}", *oldest->job, oldest->full_name());
  net::http::Request request(
      "PATCH",
      path_of(*oldest),
      R"({"metadata":{"labels":{"scheduler.slinky.slurm.net/slurm-jobid":null}}})");
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  (void)world.as_user(std::move(request));
  // The bridge writes the label again 30 s later, which must not count as a violation of I8.
  world.later(std::chrono::seconds(35), [] {});
  return text;
}

std::string finish(World& world, const Draw& draw) {
  const PodTruth* pod = any_pod(world, draw[0]);
  if (pod == nullptr || !pod->bound() || pod->ended() || world.kubelets().dead(pod->node))
    return "";
  net::http::Request request(
      "PATCH", path_of(*pod) + "/status", R"({"status":{"phase":"Failed"}})");
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  std::string text = fmt::format("sees pod {} fail", pod->full_name());
  (void)world.as_user(std::move(request));
  return text;
}

std::string compact(World& world, const Draw&) {
  world.kube().compact();
  return "etcd is compacted";
}

}  // namespace

std::vector<Action> pod_actions() {
  return {{"create a pod", 60, false, create_plain},
          {"create a pod that fails", 8, false, create_failing},
          {"create a pod that never ends", 16, false, create_endless},
          {"create another scheduler's pod", 6, false, create_foreign},
          {"create an urgent pod", 8, false, create_urgent},
          {"create a pod that gives way", 10, false, create_humble},
          {"create a pod for some nodes", 8, false, create_picky},
          {"delete a pod and its job", 6, false, remove_both},
          {"create a pod with a time limit", 6, false, create_in_time_limit},
          {"delete a pod", 24, false, remove},
          {"touch a pod", 8, false, touch},
          {"a pod fails", 8, false, finish},
          {kRemoveJobLabel, 0, false, remove_job_label},
          {"compact etcd", 4, true, compact}};
}

}  // namespace sim
