// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "net/http_wire/http.h"
#include "slurm/api/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Changes of Slurm's nodes: request bodies and answers. Pure.
namespace slurm::inline api {

// No new jobs; running jobs continue. A static external node loses its drain when slurmctld
// restarts.
struct Drain {
  std::string reason;  // shown by sinfo; not empty
};
// Removes a drain; valid for a node that is not drained.
struct Undrain {};
// Ends the jobs of the node (NODE_FAIL; batch jobs that allow it are requeued) and starts no new
// ones until Resume. Valid for a node that is already down.
struct Down {
  std::string reason;  // shown by sinfo; not empty
};
// Returns a node that is down to service. Slurm refuses it for a healthy node (Kind::conflict).
struct Resume {};
// Available and active features of the node. A NodeSet of slurm.conf assigns partitions by feature.
struct SetFeatures {
  std::vector<std::string> features;
};
// The place in Slurm's dynamic topology: "topo-switch:s2,topo-block:b2"; empty: none.
struct SetTopology {
  std::string topology;
};
// Free text. Kept when slurmctld restarts for nodes that were created while Slurm ran.
struct SetComment {
  std::string comment;
};
using NodeChange = std::variant<Drain, Undrain, Down, Resume, SetFeatures, SetTopology, SetComment>;

// The body of POST /node/NAME.
base::Result<std::string> node_change_body(const NodeChange& change);

// An external node to create while Slurm runs (v0.0.44 or newer).
struct NewNode {
  SlurmNodeName name;
  std::uint32_t cores = 1;
  std::uint32_t threads = 1;  // per core; CPUs = cores * threads
  std::uint64_t memory_mib = 1;
  std::vector<std::string> features;  // a NodeSet of slurm.conf assigns partitions by feature
  std::string topology;               // as in SetTopology
  std::string gres;                   // "gpu:a100:4"
  // "count=4,name=gpu,type=a100,file=/dev/nvidia[0-3]": assigns the GPU indices. Slurm refuses gres
  // without it.
  std::string gres_conf;
  std::string address;  // empty: the node's name
  std::optional<std::uint16_t> port;
};

// The body of POST /new/node/. Kind::invalid if a value contains a character that ends it in
// Slurm's syntax.
base::Result<std::string> new_node_body(const NewNode& node);

// The outcome of a change, a creation or a deletion of a node.
//
// Guarantees  not_found: Slurm does not know the node; conflict: the node already exists, or its
//             state does not allow the request; unavailable: also while a node to delete is busy;
//             forbidden: the token is not SlurmUser's.
base::Result<void> node_changed(const net::http::Response& answer);

}  // namespace slurm::inline api
