// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/ids.h"

#include <chrono>
#include <optional>
#include <string>

// How a write is meant, and how it is said to the API server. Pure.
namespace kube::inline client {

enum class DryRun {
  no,
  yes,  // the server checks and answers, and stores nothing
};

// For create, patch and replace.
struct WriteOptions {
  std::string field_manager = {};  // empty: the server takes the program's User-Agent
  DryRun dry_run = DryRun::no;
};

// What becomes of fields that another manager owns with another value.
enum class Conflicts {
  refuse,  // Kind::conflict names them
  force,   // they become ours: right for a controller that owns the object
};

// For server-side apply.
struct ApplyOptions {
  std::string field_manager;
  Conflicts conflicts = Conflicts::refuse;
  DryRun dry_run = DryRun::no;
};

// What becomes of the objects that the deleted one owns.
enum class Propagation {
  server_default,
  background,  // deleted afterwards
  foreground,  // deleted first, as far as they block the owner's deletion
  orphan,      // kept
};

struct DeleteOptions {
  Uid uid = {};                       // only this very object; empty: whatever has the name
  std::string resource_version = {};  // only this version; empty: any
  Propagation propagation = Propagation::server_default;
  std::optional<std::chrono::seconds> grace_period = {};  // of pods; empty: the pod's own
  DryRun dry_run = DryRun::no;
};

// "?fieldManager=x&dryRun=All", or "".
std::string write_query(const WriteOptions& options);
std::string apply_query(const ApplyOptions& options);
// Body of DELETE.
json::Object delete_body(const DeleteOptions& options);
// Body of POST pods/NAME/eviction: a delete that PodDisruptionBudgets may refuse (Kind::too_many).
json::Object eviction_body(const ObjectKey& pod, const DeleteOptions& options);

}  // namespace kube::inline client
