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

// Changes of Slurm's nodes, built and read purely.
namespace slurm::inline api {

// No new jobs; those that run go on. A static external node forgets it when slurmctld restarts.
struct Drain {
  std::string reason;  // people read it in sinfo: not empty
};
// Takes a drain back, also of a node that is not drained.
struct Undrain {};
// Brings a node back that is down. Slurm refuses it for a healthy one (Kind::conflict).
struct Resume {};
// Features that the node has, and offers; a NodeSet of slurm.conf gives it partitions by these.
struct SetFeatures {
  std::vector<std::string> features;
};
// Its place in Slurm's dynamic topology: "topo-switch:s2,topo-block:b2"; empty: none.
struct SetTopology {
  std::string topology;
};
// A text for people and programs. Kept over restarts for nodes that were made while Slurm ran.
struct SetComment {
  std::string comment;
};
using NodeChange = std::variant<Drain, Undrain, Resume, SetFeatures, SetTopology, SetComment>;

// The body of POST /node/NAME.
base::Result<std::string> node_change_body(const NodeChange& change);

// An external node to be made while Slurm runs (from v0.0.44).
struct NewNode {
  SlurmNodeName name;
  std::uint32_t cores = 1;
  std::uint32_t threads = 1;  // of each core; cores times threads are its CPUs
  std::uint64_t memory_mib = 1;
  std::vector<std::string> features;  // a NodeSet of slurm.conf gives it its partitions by these
  std::string topology;               // as of SetTopology
  std::string gres;                   // "gpu:a100:4"
  // "count=4,name=gpu,type=a100,file=/dev/nvidia[0-3]": gives the GPUs their indices. Slurm refuses
  // gres without it.
  std::string gres_conf;
  std::string address;  // empty: its name
  std::optional<std::uint16_t> port;
};

// The body of POST /new/node/. Kind::invalid where a value could end its place in Slurm's line.
base::Result<std::string> new_node_body(const NewNode& node);

// What became of a change, a new node or a deletion.
//
// Guarantees  not_found: Slurm knows no such node; conflict: it exists already, or is in no state
//             for this; unavailable also while a node to be deleted is busy; forbidden: the token
//             is not SlurmUser's.
base::Result<void> node_changed(const net::http::Response& answer);

}  // namespace slurm::inline api
