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

// The scheduler could not read it either and would leave it lying without a word.
Verdict unreadable(const base::Error& error) {
  return denied({422, fmt::format("the bridge cannot read this pod: {}", error.message())});
}

Verdict validate_creation(const SubmittedPod& pod, const Rules& rules) {
  if (is_left_alone(pod.pod, rules.scheduler_name)) return {};
  Verdict verdict;
  verdict.denial = refusal_of_creation(pod, rules.scheduler_name);
  if (!verdict.denial && pod.pod.spec.schedulerName == rules.scheduler_name)
    verdict.warnings = advice_for(pod.pod);
  return verdict;
}

Verdict validate_change(const SubmittedPod& after, const Review& review, const Rules& rules) {
  const auto before = read_pod(*review.old_object);
  if (!before.ok()) return {};  // it was let in like that; who mends it is welcome
  if (is_left_alone(before->pod, rules.scheduler_name)) return {};
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
  if (is_left_alone(pod->pod, rules.scheduler_name)) return {};
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
  return creation ? validate_creation(*pod, rules) : validate_change(*pod, review, rules);
}

}  // namespace bridge::admission
