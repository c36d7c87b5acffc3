// SPDX-License-Identifier: Apache-2.0
// CPU time per pod: decoding a watch event, storing it, deciding about it.
#include "bridge/scheduling/decision.h"
#include "bridge/testing/scheduling.h"
#include "kube/cache/store.h"
#include "kube/client/watch_event.h"
#include "workload/job_of_pod.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

// A pod as the API server sends it: mostly fields that the bridge does not read.
std::string pod_event(int number) {
  std::string managed;
  for (int i = 0; i < 60; ++i) managed += fmt::format(R"("f:field{}":{{"f:inner":{{}}}},)", i);
  return fmt::format(
      R"({{"type":"MODIFIED","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"train-{0}",)"
      R"("namespace":"slurm-bridge","uid":"{0:08}-1111-2222-3333-444455556666","resourceVersion":"{0}",)"
      R"("creationTimestamp":"2026-11-15T12:00:00Z","labels":{{"app":"train","job-name":"train",)"
      R"("scheduler.slinky.slurm.net/slurm-jobid":"{0}"}},"annotations":{{"slurmjob.slinky.slurm.net/timelimit":"60"}},)"
      R"("finalizers":["scheduler.slinky.slurm.net/finalizer"],"managedFields":[{{"manager":"kubectl","fieldsV1":{{{1}"f:x":{{}}}}}}]}},)"
      R"("spec":{{"schedulerName":"slurm-bridge-scheduler","containers":[{{"name":"main","image":"busybox",)"
      R"("resources":{{"requests":{{"cpu":"500m","memory":"1Gi"}}}},"volumeMounts":[{{"name":"t","mountPath":"/var/run"}}]}}],)"
      R"("tolerations":[{{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}}]}},)"
      R"("status":{{"phase":"Pending","conditions":[{{"type":"PodScheduled","status":"False","reason":"WaitingInSlurm"}}]}}}}}})",
      number + 1,
      managed);
}

void read_event_into_store(benchmark::State& state) {
  std::vector<std::string> lines;
  for (int i = 0; i < 1000; ++i) lines.push_back(pod_event(i));
  kube::Store<kube::Pod> store;
  json::Parser parser;
  std::size_t next = 0;
  for (auto _ : state) {
    const auto root = parser.parse(lines[next]);
    const auto event = kube::read_event(*root);
    store.changed(event->object);
    if (++next == lines.size()) {
      next = 0;
      state.PauseTiming();
      store = kube::Store<kube::Pod>();
      state.ResumeTiming();
    }
  }
  state.counters["event_bytes"] = static_cast<double>(lines.front().size());
}
BENCHMARK(read_event_into_store);

void decide(benchmark::State& state) {
  const kube::Pod pod = bridge::testing::a_pod().job(7);
  const slurm::JobView view = bridge::testing::known(slurm::JobState::running, {"k001"});
  for (auto _ : state) {
    const auto request =
        workload::job_of_pod(pod, bridge::testing::kBridge, {"slurm-bridge", "kubernetes"});
    bridge::scheduling::PodFacts facts(pod);
    facts.named = slurm::JobId(7);
    facts.named_is_ours = true;
    facts.view = &view;
    facts.node = kube::NodeName("k001");
    facts.request = &request;
    benchmark::DoNotOptimize(bridge::scheduling::next_scheduling_step(facts));
  }
}
BENCHMARK(decide);

}  // namespace
