// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/verdicts.h"

#include "bridge/admission/advice.h"
#include "bridge/admission/defaults.h"
#include "bridge/admission/refusals.h"
#include "bridge/admission/scope.h"
#include "bridge/admission/submitted_pod.h"

#include <fmt/format.h>

namespace bridge::admission {
namespace {

Verdict denied(Denial denial) {
  Verdict verdict;
  verdict.denial = std::move(denial);
  return verdict;
}

// The scheduler could not decode it either and would ignore the pod without a message.
Verdict unreadable(const base::Error& error) {
  return denied({422, fmt::format("the bridge cannot read this pod: {}", error.message())});
}

Treatment treatment(const SubmittedPod& pod, const Review& review, const Rules& rules) {
  return treatment_of(pod.pod, review.ns, rules.trusted, rules.scheduler_name);
}

Verdict denied_daemon_set(const Review& review, const Rules& rules) {
  return denied(
      {403,
       fmt::format(
           "metadata.ownerReferences: Slurm manages namespace {}, and a DaemonSet pod would "
           "use a Slurm node without a job. Name {} as schedulerName in the "
           "DaemonSet's template to give each pod a job, or create the DaemonSet in a "
           "namespace that Slurm does not manage. An administrator can exempt the namespace "
           "with the configuration key daemonSetNamespaces",
           review.ns,
           rules.scheduler_name)});
}

Verdict validate_creation(const SubmittedPod& pod, const Review& review, const Rules& rules) {
  const Treatment treated = treatment(pod, review, rules);
  if (treated == Treatment::left_alone) return {};
  if (treated == Treatment::denied) return denied_daemon_set(review, rules);
  Verdict verdict;
  verdict.denial = refusal_of_creation(pod, rules.scheduler_name);
  if (!verdict.denial && pod.pod.spec.schedulerName == rules.scheduler_name)
    verdict.warnings = advice_for(pod.pod);
  return verdict;
}

Verdict validate_change(const SubmittedPod& after, const Review& review, const Rules& rules) {
  const auto before = read_pod(*review.old_object);
  if (!before.ok()) return {};  // it was admitted in this form; a change may repair it
  // An existing DaemonSet pod may be changed like any other.
  if (treatment(*before, review, rules) == Treatment::left_alone) return {};
  Verdict verdict;
  verdict.denial = refusal_of_change(
      {*before, after, review.subresource, review.user}, rules.scheduler_name, rules.bridge_users);
  return verdict;
}

}  // namespace

bool names_our_scheduler(const Review& review, const std::string& scheduler_name) {
  return review.object && scheduler_of(*review.object) == scheduler_name;
}

Verdict mutate(const Review& review, const Rules& rules) {
  if (review.operation != Operation::create || !review.subresource.empty()) return {};
  const auto pod = read_pod(*review.object);
  if (!pod.ok()) return unreadable(pod.error());
  const Treatment treated = treatment(*pod, review, rules);
  if (treated == Treatment::left_alone) return {};
  if (treated == Treatment::denied) return denied_daemon_set(review, rules);
  Verdict verdict;
  verdict.patch = defaults_for(pod->pod, rules.scheduler_name);
  return verdict;
}

Verdict validate(const Review& review, const Rules& rules) {
  if (review.operation == Operation::other) return {};
  const auto pod = read_pod(*review.object);
  const bool creation = review.operation == Operation::create;
  if (!pod.ok()) {
    const bool was_so = !creation && !read_pod(*review.old_object).ok();
    return was_so ? Verdict() : unreadable(pod.error());
  }
  return creation ? validate_creation(*pod, review, rules) : validate_change(*pod, review, rules);
}

}  // namespace bridge::admission
