// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/workers/worker.h"

#include <optional>
#include <string>
#include <variant>

namespace slurmop::workers {

// The next step for one worker. A worker gets at most one step per plan: the next one follows from
// what the first one changed.
using Step =
    std::variant<DrainNode, UndrainNode, DownNode, ResumeNode, RemoveNode, CreatePod, DeletePod>;
using MaybeStep = std::optional<Step>;

// Deletes this version of the worker's pod. Expects that it exists.
inline DeletePod delete_pod(const Worker& worker, std::string reason) {
  const kube::ObjectMeta& meta = worker.pod->metadata;
  return {meta.key(), meta.uid, meta.resourceVersion, std::move(reason)};
}

// A pod whose containers have ended is deleted, so that its name is free.
inline DeletePod delete_ended(const Worker& worker) {
  return delete_pod(worker, "its containers have ended (" + worker.pod->status.phase + ")");
}

}  // namespace slurmop::workers
