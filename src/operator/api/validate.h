// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::api {

// A field with an invalid value. The message says what is wrong and what to write instead.
struct FieldError {
  std::string field;  // "spec.slurmNodes.login.k8sNodeFilterName"
  std::string message;

  std::string to_string() const { return field + ": " + message; }
  friend bool operator==(const FieldError&, const FieldError&) = default;
};

struct Findings {
  std::vector<FieldError> errors;
  // Fields that have another value than their default and no effect, for a condition.
  std::vector<std::string> accepted;

  bool ok() const { return errors.empty(); }
};

// The names of the NodeSets of the cluster; absent if they are not known, then references to them
// are not checked.
using NodeSetNames = std::optional<std::set<std::string>>;

// Validates a SlurmCluster beyond its schema. Pure; shared by the webhook and the reconciler.
//
// Expects     the whole object as the API server sends it, with defaults.
// Guarantees  errors in the order of the schema, then those that concern several fields; each field
//             that is refused has an error, each field without effect is in `accepted` once. An
//             object that the API server would not have stored (wrong types) is an error, not a
//             crash.
// Does not    repeat the API server's checks of enums and formats, nor check parts that are passed
//             on to pods: the dry run of the pod's apply does.
Findings validate_slurm_cluster(const json::Value& object, const NodeSetNames& node_sets);

// The same for a NodeSet.
Findings validate_node_set(const json::Value& object);

// Workers of spec.slurmNodes.worker are a NodeSet of this name for partitions.
inline constexpr std::string_view kWorkerSet = "worker";

// Longest names; the reasons are in validate.cpp.
inline constexpr std::size_t kLongestName = 40;
inline constexpr std::size_t kLongestNames = 50;  // of a cluster and a NodeSet together

}  // namespace slurmop::api
