// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the real bridge between the models of both systems, on virtual time, with a
// record of its requests. The speed of the machine has no effect.
#include "json/patch.h"
#include "json/value.h"
#include "slurm/testing/api_path.h"
#include "workload/wellknown.h"
#include "world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace issues {

using namespace std::chrono_literals;

// "POST /slurm/v0.0.45/job/submit", in their order.
using Book = std::vector<std::string>;

class Bookkeeper final : public sim::Invariant {
 public:
  explicit Bookkeeper(std::shared_ptr<Book> book) : book_(std::move(book)) {}
  std::string_view name() const override { return "book"; }
  std::string_view sentence() const override { return "every request is recorded"; }
  void request(sim::World&, const sim::Request& request) override {
    book_->push_back(request.http.method + " " +
                     request.http.target.substr(0, request.http.target.find('?')));
  }

 private:
  std::shared_ptr<Book> book_;
};

// Six nodes of 8 CPUs; the partition "small" has n0 and n1, which Slurm may call s0 and s1.
class SmallWorld {
 public:
  enum class Names { same, differ };

  explicit SmallWorld(base::Duration wait = 5s, Names names = Names::same)
      : world(plan(book, names), sim::World::Record::no) {
    pass(wait);
  }

  // After a broken invariant time does not advance.
  void pass(base::Duration time) {
    if (world.violation()) return;
    world.pass(time);
    if (world.violation())
      ADD_FAILURE() << world.violation()->invariant << ": " << world.violation()->what;
  }
  // False if it did not become true in time.
  bool until(const std::function<bool()>& holds, base::Duration at_most) {
    const base::Instant end = world.now() + at_most;
    while (!holds() && world.now() < end && !world.violation()) pass(100ms);
    return holds();
  }

  // Annotations without their prefix, and further members of the pod's spec.
  void create(const std::string& name,
              const std::map<std::string, std::string>& wishes = {},
              const json::Object& more = {}) {
    json::Object annotations;
    for (const auto& [key, value] : wishes)
      annotations.set(workload::kJobAnnotationPrefix + key, value);
    const json::Object requests{{"cpu", "1"}, {"memory", "1Gi"}};
    const json::Object container{
        {"name", "c"}, {"image", "i"}, {"resources", json::Object{{"requests", requests}}}};
    json::Value spec = json::Object{{"schedulerName", sim::kScheduler},
                                    {"restartPolicy", "Never"},
                                    {"containers", json::Array{container}}};
    json::apply_merge_patch(spec, more);
    const json::Value pod =
        json::Object{{"metadata", json::Object{{"name", name}, {"annotations", annotations}}},
                     {"spec", std::move(spec)}};
    post(pods(), pod.dump());
  }
  // Null removes the annotation.
  void ask(const std::string& name, const std::string& wish, const json::Value& value) {
    json::Object annotations;
    annotations.set(workload::kJobAnnotationPrefix + wish, value);
    patch(pods("/" + name), json::Object{{"metadata", json::Object{{"annotations", annotations}}}});
  }
  void patch(const std::string& path, const json::Value& body) {
    send("PATCH", path, body.dump(), "application/merge-patch+json");
  }
  void post(const std::string& path, std::string body) { send("POST", path, std::move(body)); }
  // A pod of another scheduler that uses this many CPUs of the node.
  void create_foreign(const std::string& node, const std::string& cpus) {
    const json::Object container{
        {"name", "c"},
        {"image", "i"},
        {"resources", json::Object{{"requests", json::Object{{"cpu", cpus}}}}}};
    const json::Object everywhere{{"operator", "Exists"}};  // our taint does not evict it
    const json::Value pod = json::Object{{"metadata", json::Object{{"name", "foreign-" + node}}},
                                         {"spec",
                                          json::Object{{"schedulerName", "somebody"},
                                                       {"nodeName", node},
                                                       {"tolerations", json::Array{everywhere}},
                                                       {"containers", json::Array{container}}}}};
    post(pods(), pod.dump());
  }
  void remove(const std::string& name) { send("DELETE", pods("/" + name), "{}"); }

  // A foreign job that holds all nodes of a partition.
  std::uint32_t fill(const std::string& partition, std::uint32_t nodes) {
    models::slurm::SlurmJob job;
    job.name = "somebody";
    job.user = "slurm";
    job.partition = partition;
    job.external = true;
    job.exclusive = true;
    job.node_count = nodes;
    return world.slurm().submit(std::move(job));
  }

  const sim::PodTruth* pod(const std::string& name) const {
    return world.pod_named(sim::kNamespace, name);
  }
  bool bound(const std::string& name) const { return pod(name) != nullptr && pod(name)->bound(); }
  bool ending(const std::string& name) const { return pod(name) == nullptr || pod(name)->deleting; }
  // All jobs of that name.
  std::vector<models::slurm::SlurmJob> jobs(const std::string& name) const {
    std::vector<models::slurm::SlurmJob> found;
    for (const auto& [id, job] : world.slurm().jobs())
      if (job.name == name) found.push_back(job);
    return found;
  }

  std::size_t count(const std::function<bool(const std::string&)>& which) const {
    return static_cast<std::size_t>(std::ranges::count_if(*book, which));
  }
  std::size_t calls(std::string_view part) const {
    return count([&](const std::string& line) { return line.contains(part); });
  }
  // To either system, except renewals of a Lease.
  std::size_t writes() const {
    return count([](const std::string& line) {
      return !line.starts_with("GET ") && !line.contains("/leases");
    });
  }

  std::shared_ptr<Book> book = std::make_shared<Book>();
  mutable sim::World world;

 private:
  static sim::Plan plan(const std::shared_ptr<Book>& book, Names names) {
    sim::Plan plan;
    plan.seed = 1;
    plan.nodes = 6;
    plan.renamed = names == Names::differ;
    plan.partitions = {{"small", {"n0", "n1"}, {}}};
    if (plan.renamed) plan.partitions = {{"small", {"s0", "s1"}, {}}};
    plan.extra = [book] { return std::make_unique<Bookkeeper>(book); };
    return plan;
  }
  static std::string pods(const std::string& rest = "") {
    return fmt::format("/api/v1/namespaces/{}/pods{}", sim::kNamespace, rest);
  }
  void send(const std::string& method,
            const std::string& path,
            std::string body,
            const std::string& type = "application/json") {
    net::http::Request request(method, path, std::move(body));
    request.headers.emplace_back("Content-Type", type);
    const auto answer = world.as_user(std::move(request));
    EXPECT_LT(answer.status, 300) << answer.body;
  }
};

}  // namespace issues
