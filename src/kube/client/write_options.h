// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/ids.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>

// Options of a write, and their form in requests. Pure.
namespace kube::inline client {

enum class DryRun {
  no,
  yes,  // the server checks and answers, but stores nothing
};

// For create, patch and replace.
struct WriteOptions {
  std::string field_manager = {};  // empty: the server uses the User-Agent
  DryRun dry_run = DryRun::no;
};

// How to handle fields that another manager owns with another value.
enum class Conflicts {
  refuse,  // Kind::conflict names them
  force,   // take over the fields: for a controller that owns the object
};

// For server-side apply.
struct ApplyOptions {
  std::string field_manager;
  Conflicts conflicts = Conflicts::refuse;
  DryRun dry_run = DryRun::no;
};

// What happens to the objects that the deleted object owns.
enum class Propagation {
  server_default,
  background,  // deleted afterwards
  foreground,  // deleted first, if they block the deletion of the owner
  orphan,      // kept
};

struct DeleteOptions {
  Uid uid = {};                       // only this object; empty: any object of that name
  std::string resource_version = {};  // only this version; empty: any
  Propagation propagation = Propagation::server_default;
  std::optional<std::chrono::seconds> grace_period = {};  // of pods; empty: that of the pod
  DryRun dry_run = DryRun::no;
};

// The node that a pod is bound to.
struct Binding {
  NodeName node;
  Uid uid = {};                       // only this pod; empty: any pod of that name
  std::string resource_version = {};  // only this version; empty: any
  // The server copies them to the pod in the same write.
  std::map<std::string, std::string> annotations = {};
};

// "?fieldManager=x&dryRun=All", or "".
std::string write_query(const WriteOptions& options);
std::string apply_query(const ApplyOptions& options);
// Body of DELETE.
json::Object delete_body(const DeleteOptions& options);
// Body of POST pods/NAME/eviction: a delete that PodDisruptionBudgets may reject (Kind::too_many).
json::Object eviction_body(const ObjectKey& pod, const DeleteOptions& options);
// Body of POST pods/NAME/binding.
json::Object binding_body(const ObjectKey& pod, const Binding& binding);

}  // namespace kube::inline client
