// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/worker.h"

#include <optional>
#include <string>

namespace slurmop::workers {

// What a worker waits for, for people: "worker-3 is drained and runs 2 jobs". Empty if it waits for
// nothing that somebody should know. Contains no durations, so that it changes only with its cause.
std::optional<std::string> wait_of(const Worker& worker, const WorkerFacts& facts);

// When the worker must be looked at again although neither its pod nor the state of its node changes.
std::optional<std::chrono::seconds> look_again(const Worker& worker, const WorkerFacts& facts);

}  // namespace slurmop::workers
