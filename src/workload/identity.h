// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workload {

// The identity of a bridge: one Kubernetes cluster, one scheduler name. Two bridges on one Slurm
// differ in it, and neither changes the other's jobs.
struct BridgeIdentity {
  std::string cluster;    // uid of the namespace kube-system
  std::string scheduler;  // the spec.schedulerName that it serves

  friend bool operator==(const BridgeIdentity&, const BridgeIdentity&) = default;
};

struct Member {
  kube::ObjectKey pod;
  kube::Uid uid;

  friend auto operator<=>(const Member&, const Member&) = default;
};

// The identity of a job: written to its admin_comment at submission and never changed, so that the
// job is recognised after any restart. Names can be reused, uids cannot.
struct Identity {
  BridgeIdentity bridge;
  kube::Uid workload;  // uid of the workload of the job
  std::vector<Member> members;

  friend bool operator==(const Identity&, const Identity&) = default;
};

// {"pods":["ns/name"],"cluster":"..","scheduler":"..","workload":"..","uids":[".."]}
//
// `pods` is for SlinkyProject/slurm-bridge, which ignores the other keys.
std::string admin_comment(const Identity& identity);

// Empty if the text is not an identity that this project wrote: a comment of another tool, a job of
// the reference implementation ({"pods":[...]} alone), {} or null. Such a comment alone does not
// make a job ours.
std::optional<Identity> read_identity(std::string_view admin_comment);

// The pods of a job that SlinkyProject/slurm-bridge submitted: {"pods":["ns/name"]} without our
// keys. Empty for every other text.
std::vector<kube::ObjectKey> read_reference_pods(std::string_view admin_comment);

}  // namespace workload
