// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

// Every interval, delay and time limit of bridge/scheduling.
namespace bridge::scheduling {

using namespace std::chrono_literals;

// --- explanations (explainer.cpp, waiting_reasons.cpp) ---
// Most pods start within this time and need no write.
inline constexpr auto kExplainAfter = 2s;
// Shorter interruptions are not explained.
inline constexpr auto kExplainFailureAfter = 10s;
// Slurm is asked for the reason of one pending job per interval.
inline constexpr auto kReadReasonEvery = 250ms;
// Most jobs start within this time and need no reason.
inline constexpr auto kFirstReasonAfter = 1s;
inline constexpr auto kReadReasonAgainAfter = 60s;
inline constexpr auto kReadReasonTimeout = 10s;
// A smaller change of the expected start does not change the text.
inline constexpr auto kSameStart = 10min;

// --- submits (submitter.cpp, refusal_cache.cpp, pod_record.cpp) ---
// Slurm's configuration may have changed.
inline constexpr auto kRetryRefusedAfter = 60s;
// A limit may be free again when another job ends.
inline constexpr auto kRetryAtLimitAfter = 10s;
// How long other pods wait for the result of the attempt that one pod makes for the request shape.
inline constexpr auto kSharedAttemptTakes = 60s;
inline constexpr auto kRetryWithoutAnswerAfter = 1s;
// How long slurmctld may still process a request whose answer was lost.
inline constexpr auto kLostRequestSettles = 3s;
// Delay between jobs of one pod that ended or were released before the bind.
inline constexpr auto kFirstJobDelay = 5s;
inline constexpr auto kLongestJobDelay = 5min;
inline constexpr auto kForgetFailedJobsAfter = 10min;

// --- existing jobs (decision.cpp, pod_record.cpp) ---
// Minimum time between the first and the latest answer that does not contain the job. A number of
// answers is no measure: the mirror may poll ten times per second.
inline constexpr auto kUnknownLongEnough = 10s;
// How long a submit of a previous process may take effect after the start of this process.
inline constexpr auto kPreviousProcessSettles = 15s;
// How much the clock of the API server may differ from ours.
inline constexpr auto kClocksDiffer = 5s;
// Maximum age of an answer of Slurm, counted from its request.
inline constexpr auto kMaxAnswerAge = 10min;
// An instance that removed a job's label cancels the job within this time, unless it was killed.
inline constexpr auto kUnlabelledJobIsCancelledWithin = 30s;
// An instance that saw the label of another job cancels its own job of the pod within this time.
inline constexpr auto kSurplusJobIsCancelledWithin = 5s;

// --- placement (placer.cpp, fresh.cpp, node_verdicts.cpp, volumes.cpp) ---
// Maximum age of a read of the job that permits a bind: the timeout of a call plus some time to
// act. A state poll is not sufficient however recent it is: it does not contain the identity, and
// after a failover of slurmctld the id may belong to another job that also runs.
inline constexpr auto kFreshRead = 12s;
// How long the watch may take to show a bind that the API server accepted.
inline constexpr auto kBindShowsWithin = 10s;
// How long a node that could not run a pod is excluded for that pod.
inline constexpr auto kAvoidFor = 10min;
// Claims are read often, because their binding is awaited. The place of a volume does not change.
inline constexpr auto kClaimsFresh = 1s;
inline constexpr auto kListFresh = 5s;
// Changes of nodes often come in groups: collect them before the next evaluation.
inline constexpr auto kGatherChanges = 500ms;
// Pause per evaluated node after an evaluation for the pods that fit no node. Limits the cost of
// frequent changes to a twentieth of a core, at about one microsecond per node.
inline constexpr auto kPausePerNode = 20us;

// --- rechecks of what no event reports ---
inline constexpr auto kRecheckAfter = 200ms;
inline constexpr auto kRecheckHeldEvery = 500ms;
inline constexpr auto kRecheckOwnersAfter = 60s;
// Volume claims are not watched.
inline constexpr auto kRecheckClaimsAfter = 10s;
// Changes of nodes wake a pod that fits no node (NodeVerdicts). Changes of the pod's owners and of
// the default partition are found only by a recheck.
inline constexpr auto kRecheckUnfitAfter = 60s;
// Before the process stops, unwritten jobs are written or cancelled.
inline constexpr auto kFinishPollEvery = 200ms;

}  // namespace bridge::scheduling
