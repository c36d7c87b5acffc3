// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workload {

// Which bridge a process is: one Kubernetes cluster, one scheduler name. Two bridges on one Slurm
// differ in it and leave each other's jobs alone.
struct BridgeIdentity {
  std::string cluster;    // uid of the kube-system namespace
  std::string scheduler;  // spec.schedulerName that it serves

  friend bool operator==(const BridgeIdentity&, const BridgeIdentity&) = default;
};

struct Member {
  kube::ObjectKey pod;
  kube::Uid uid;

  friend auto operator<=>(const Member&, const Member&) = default;
};

// Whose job this is: written into the job's admin_comment at submission and never changed, so that
// a job can be recognised whatever we forgot. Names may be used again, uids are not.
struct Identity {
  BridgeIdentity bridge;
  kube::Uid workload;  // uid of what the job stands for
  std::vector<Member> members;

  friend bool operator==(const Identity&, const Identity&) = default;
};

// {"pods":["ns/name"],"cluster":"..","scheduler":"..","workload":"..","uids":[".."]}
//
// `pods` is what SlinkyProject/slurm-bridge reads; it ignores the rest.
std::string admin_comment(const Identity& identity);

// Empty if the text is not an identity that this project wrote: another tool's comment, a job of
// the reference implementation ({"pods":[...]} alone), {} or null. Those are not ours by
// themselves.
std::optional<Identity> read_identity(std::string_view admin_comment);

// The pods of a job that SlinkyProject/slurm-bridge made: {"pods":["ns/name"]} and none of our
// keys. Empty for everything else.
std::vector<kube::ObjectKey> read_reference_pods(std::string_view admin_comment);

}  // namespace workload
