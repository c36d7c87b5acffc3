// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: one class of bridge/scheduling with two scripted servers, on virtual time.
#include "bridge/scheduling/explainer.h"
#include "bridge/testing/scheduling.h"
#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bridge::testing {

// Expects     tests that set `kube_answers` and `slurm_answers` before they run a step.
// Guarantees  requests are recorded in order; the queue records its keys and runs nothing.
class SchedulingTest : public ::testing::Test {
 protected:
  using ScriptedTransport = slurm::testing::ScriptedTransport;
  using Reply = ScriptedTransport::Reply;

  ~SchedulingTest() override {
    queue.stop();
    tasks.cancel();
    loop.run_virtual(clock, clock.now());
  }

  // Runs the task to its end and returns its result. Fails the test if the task does not end within
  // `limit` of virtual time.
  template <class T>
  T result_of(net::Task<T> task, base::Duration limit = std::chrono::minutes(1)) {
    std::optional<T> result;
    tasks.spawn("step", store(std::move(task), result));
    loop.run_virtual(clock, clock.now() + limit);
    EXPECT_TRUE(result.has_value()) << "the step did not end";
    return *std::move(result);
  }
  void pass(base::Duration time) { loop.run_virtual(clock, clock.now() + time); }

  // Keeps the pod alive for the test, as the store does.
  std::shared_ptr<const kube::Pod> see(kube::Pod pod) {
    auto shared = std::make_shared<const kube::Pod>(std::move(pod));
    seen.push_back(shared);
    return shared;
  }

  // All writes in order, such as "PATCH /api/v1/namespaces/a/pods/train-0".
  std::vector<std::string> kube_writes() const { return writes_of(to_kube); }
  std::vector<std::string> slurm_writes() const { return writes_of(to_slurm); }
  std::string last_kube_body() const { return to_kube.calls.back().request.body; }

  std::function<Reply(const net::http::Request&)> kube_answers = [](const auto&) {
    return Reply{slurm::testing::answer(200, "{}")};
  };
  std::function<Reply(const net::http::Request&)> slurm_answers = [](const auto&) {
    return Reply{slurm::testing::answer(200, R"({"errors":[]})")};
  };
  bool leads = true;

  base::VirtualClock clock;
  net::Loop loop{clock, 7};
  net::TaskGroup tasks{loop};
  ScriptedTransport to_slurm{loop, [this](const auto& request) { return slurm_answers(request); }};
  ScriptedTransport to_kube{loop, [this](const auto& request) { return kube_answers(request); }};
  slurm::TokenSource tokens = slurm::TokenSource::fixed(base::Secret("t"));
  kube::Credentials credentials;
  slurm::Client slurm_client{loop, to_slurm, tokens};
  kube::Client kube_client{to_kube, credentials};
  config::LiveSettings live;
  runtime::StepCounters steps;
  base::Log log;
  kube::Events events{loop, kube_client, {"slurm-bridge", "test"}, log};
  slurm::Mirror mirror{loop, slurm_client, {}, [](std::string_view) { return true; }};
  slurm::NodeMirror slurm_nodes{loop, slurm_client, {}, [] { return true; }};
  state::ClusterState cluster{mirror, slurm_nodes, kBridge};
  runtime::RoleContext context{loop,
                               tasks,
                               kube_client,
                               slurm_client,
                               log,
                               kBridge.scheduler,
                               live,
                               [this] { return leads; },
                               steps,
                               events};
  std::vector<kube::ObjectKey> queued;
  scheduling::PodQueue queue{loop, tasks, 4, [this](kube::ObjectKey key) {
                               queued.push_back(std::move(key));
                               return nothing();
                             }};
  scheduling::Explainer explainer{context, cluster, queue};

 private:
  template <class T>
  static net::Task<void> store(net::Task<T> task, std::optional<T>& result) {
    result = co_await std::move(task);
  }
  static net::Task<kube::Requeue> nothing() { co_return kube::Requeue::on_change(); }
  static std::vector<std::string> writes_of(const ScriptedTransport& transport) {
    std::vector<std::string> writes;
    for (const auto& call : transport.calls) {
      if (call.request.method != "GET")
        writes.push_back(call.request.method + " " + call.request.target);
    }
    return writes;
  }

  std::vector<std::shared_ptr<const kube::Pod>> seen;
};

}  // namespace bridge::testing
