// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/crash_loops.h"

#include "operator/objects/labels.h"
#include "operator/status/pod_problem.h"

#include <algorithm>

namespace slurmop::plan {
namespace {

bool is_worker(const kube::ObservedPod& pod) {
  return !pod.metadata.label(std::string(objects::kNodeSetLabel)).empty();
}

}  // namespace

void add_crash_loop_steps(const Known& known, Plan& plan) {
  std::vector<const kube::ObservedPod*> stuck;
  for (const kube::ObservedPod& pod : known.pods) {
    if (is_worker(pod) || pod.metadata.deleting()) continue;
    if (status::is_stuck_in_crash_loop(pod, known.now)) stuck.push_back(&pod);
  }
  std::ranges::sort(stuck, {}, [](const kube::ObservedPod* pod) { return pod->metadata.name; });
  for (const kube::ObservedPod* pod : stuck) {
    plan.pods.emplace_back(
        workers::DeletePod{pod->metadata.key(),
                           pod->metadata.uid,
                           pod->metadata.resourceVersion,
                           "a container is in CrashLoopBackOff; a new pod starts at once"});
  }
}

}  // namespace slurmop::plan
