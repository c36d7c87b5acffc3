// SPDX-License-Identifier: Apache-2.0
#include "models/actors/job_controller.h"

#include "base/integer.h"
#include "base/rfc3339.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace models::actors {
namespace {

constexpr std::string_view kIndex = "batch.kubernetes.io/job-completion-index";

std::int64_t number_at(const json::Value& object, kube::Way way, std::int64_t otherwise) {
  const json::Value* found = kube::at(object, way);
  return found != nullptr && found->as_int() != nullptr ? *found->as_int() : otherwise;
}

std::string_view uid_of(const json::Value& object) {
  return kube::text_at(object, {"metadata", "uid"});
}

bool is_deleted(const json::Value& object) {
  return !kube::text_at(object, {"metadata", "deletionTimestamp"}).empty();
}

bool is_indexed(const json::Value& job) {
  return kube::text_at(job, {"spec", "completionMode"}) == "Indexed";
}

bool is_finished(const json::Value& job) {
  return std::ranges::any_of(kube::array_at(job, {"status", "conditions"}),
                             [](const json::Value& one) {
                               const std::string_view type = kube::text_at(one, {"type"});
                               return type == "Complete" || type == "Failed";
                             });
}

// The uid of the Job that owns the pod; "" without such an owner.
std::string_view maker_of(const json::Value& pod) {
  for (const json::Value& owner : kube::array_at(pod, {"metadata", "ownerReferences"})) {
    if (kube::text_at(owner, {"kind"}) == "Job") return kube::text_at(owner, {"uid"});
  }
  return {};
}

std::string path_of(const json::Value& job) {
  return fmt::format("/apis/batch/v1/namespaces/{}/jobs/{}",
                     kube::text_at(job, {"metadata", "namespace"}),
                     kube::text_at(job, {"metadata", "name"}));
}

net::http::Request merge(std::string path, const json::Value& patch) {
  net::http::Request request("PATCH", std::move(path), patch.dump());
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  return request;
}

json::Object condition(std::string_view type, std::string_view reason, const std::string& now) {
  return {{"type", type},
          {"status", "True"},
          {"reason", reason},
          {"lastProbeTime", now},
          {"lastTransitionTime", now}};
}

json::Object pod_metadata(const json::Value& job, std::int64_t index) {
  const std::string_view name = kube::text_at(job, {"metadata", "name"});
  json::Object metadata = kube::object_at(job, {"spec", "template", "metadata"});
  metadata.set("generateName",
               is_indexed(job) ? fmt::format("{}-{}-", name, index) : fmt::format("{}-", name));
  json::Object& labels = kube::object_in(metadata, "labels");
  for (const std::string_view prefix : {"", "batch.kubernetes.io/"}) {
    labels.set(fmt::format("{}job-name", prefix), name);
    labels.set(fmt::format("{}controller-uid", prefix), uid_of(job));
  }
  if (is_indexed(job)) {
    labels.set(kIndex, std::to_string(index));
    kube::object_in(metadata, "annotations").set(kIndex, std::to_string(index));
  }
  metadata.set("ownerReferences",
               json::Array{json::Object{{"apiVersion", "batch/v1"},
                                        {"kind", "Job"},
                                        {"name", name},
                                        {"uid", uid_of(job)},
                                        {"controller", true},
                                        {"blockOwnerDeletion", true}}});
  return metadata;
}

}  // namespace

void JobController::look() {
  // By name: a write in this loop may move or remove other objects.
  std::vector<kube::ObjectRef> jobs;
  for (const json::Value* job : server_.all("jobs")) {
    jobs.push_back({"jobs",
                    std::string(kube::text_at(*job, {"metadata", "namespace"})),
                    std::string(kube::text_at(*job, {"metadata", "name"}))});
  }
  for (const kube::ObjectRef& ref : jobs) {
    if (const json::Value* job = server_.find(ref)) look_at(json::Value(*job));
  }
  take_orphans_away();
}

void JobController::look_at(const json::Value& job) {
  const Progress progress = progress_of(job);
  if (is_deleted(job) || is_finished(job)) return clean_up(job, progress);
  const std::int64_t made = make_pods(job, progress);
  write_status(job, progress, std::ssize(progress.active) + made);
}

JobController::Progress JobController::progress_of(const json::Value& job) const {
  Progress progress;
  for (const json::Value* pod : server_.all("pods")) {
    if (maker_of(*pod) != uid_of(job)) continue;
    ++progress.pods;
    const std::string_view phase = kube::text_at(*pod, {"status", "phase"});
    if (phase == "Failed") {
      ++progress.failed;
      continue;
    }
    if (phase == "Succeeded") {
      ++progress.succeeded;
    } else {
      progress.active.push_back(pod);
    }
    const auto index =
        base::parse_integer<std::int64_t>(kube::text_at(*pod, {"metadata", "annotations", kIndex}));
    if (index.ok()) progress.taken.push_back(*index);
  }
  return progress;
}

void JobController::clean_up(const json::Value& job, const Progress& progress) {
  std::vector<json::Value> doomed;
  if (is_deleted(job)) {
    for (const json::Value* pod : server_.all("pods")) {
      if (maker_of(*pod) == uid_of(job)) doomed.push_back(*pod);
    }
  } else {
    for (const json::Value* pod : progress.active) doomed.push_back(*pod);
  }
  for (const json::Value& pod : doomed) remove(pod);
  if (is_deleted(job) && progress.pods == 0) {
    (void)server_.handle(merge(
        path_of(job), json::Object{{"metadata", json::Object{{"finalizers", json::Array{}}}}}));
  }
}

std::int64_t JobController::make_pods(const json::Value& job, const Progress& progress) {
  if (progress.failed > number_at(job, {"spec", "backoffLimit"}, 6)) return 0;
  const std::int64_t wanted = number_at(job, {"spec", "completions"}, 1);
  const std::int64_t at_once = number_at(job, {"spec", "parallelism"}, 1);
  const std::int64_t active = std::ssize(progress.active);
  const std::int64_t lacking = std::min(wanted - progress.succeeded, at_once) - active;
  std::int64_t made = 0;
  for (std::int64_t index = 0; index < wanted && made < lacking; ++index) {
    const bool is_taken = is_indexed(job) && std::ranges::count(progress.taken, index) > 0;
    if (!is_taken && make_pod(job, index)) ++made;
  }
  return made;
}

bool JobController::make_pod(const json::Value& job, std::int64_t index) {
  const json::Object pod{{"apiVersion", "v1"},
                         {"kind", "Pod"},
                         {"metadata", pod_metadata(job, index)},
                         {"spec", kube::object_at(job, {"spec", "template", "spec"})}};
  net::http::Request request(
      "POST",
      fmt::format("/api/v1/namespaces/{}/pods", kube::text_at(job, {"metadata", "namespace"})),
      json::Value(pod).dump());
  request.headers.emplace_back("Content-Type", "application/json");
  return server_.handle(request).status < 300;
}

void JobController::write_status(const json::Value& job,
                                 const Progress& progress,
                                 std::int64_t active) {
  const std::string now = base::format_rfc3339(clock_.wall());
  json::Object status{
      {"active", active}, {"succeeded", progress.succeeded}, {"failed", progress.failed}};
  const bool is_complete = progress.succeeded >= number_at(job, {"spec", "completions"}, 1);
  const bool is_failed = progress.failed > number_at(job, {"spec", "backoffLimit"}, 6);
  if (is_complete) {
    status.set("conditions", json::Array{condition("Complete", "CompletionsReached", now)});
    status.set("completionTime", now);
  } else if (is_failed) {
    status.set("conditions", json::Array{condition("Failed", "BackoffLimitExceeded", now)});
  }
  const json::Object& before = kube::object_at(job, {"status"});
  if (before.find("startTime") == nullptr) status.set("startTime", now);
  const bool is_news = std::ranges::any_of(status, [&](const json::Member& member) {
    const json::Value* there = before.find(member.key);
    return there == nullptr || !(*there == member.value);
  });
  if (is_news)
    (void)server_.handle(merge(path_of(job) + "/status", json::Object{{"status", status}}));
}

void JobController::take_orphans_away() {
  std::set<std::string, std::less<>> jobs;
  for (const json::Value* job : server_.all("jobs")) jobs.emplace(uid_of(*job));
  std::vector<json::Value> orphans;
  for (const json::Value* pod : server_.all("pods")) {
    const std::string_view maker = maker_of(*pod);
    if (!maker.empty() && !jobs.contains(maker)) orphans.push_back(*pod);
  }
  for (const json::Value& pod : orphans) remove(pod);
}

void JobController::remove(const json::Value& pod) {
  if (is_deleted(pod)) return;
  net::http::Request request("DELETE",
                             fmt::format("/api/v1/namespaces/{}/pods/{}",
                                         kube::text_at(pod, {"metadata", "namespace"}),
                                         kube::text_at(pod, {"metadata", "name"})),
                             fmt::format(R"({{"preconditions":{{"uid":"{}"}}}})", uid_of(pod)));
  request.headers.emplace_back("Content-Type", "application/json");
  (void)server_.handle(request);
}

}  // namespace models::actors
