// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/node_answer.h"

#include "json/decode.h"
#include "slurm/api/answer.h"

#include <algorithm>

namespace slurm::inline api {
namespace wire {

struct Seconds {
  std::int64_t number = 0;
};
BOOST_DESCRIBE_STRUCT(Seconds, (), (number))

// A time as {"set","infinite","number"}; 0 if it is not set. Another shape is also 0: the bridge does
// not need the times, so they never make a list of nodes unreadable.
struct Time {
  std::int64_t seconds = 0;
};
inline json::MaybeMismatch decode_json(const json::Node& node, Time& out) {
  if (node.type() != json::Type::object) return std::nullopt;
  const auto set = node.find("set");
  const auto infinite = node.find("infinite");
  const auto number = node.find("number");
  if (!set || set->as_bool() != true || (infinite && infinite->as_bool() == true)) {
    return std::nullopt;
  }
  const auto seconds = number ? number->as_int() : std::nullopt;
  out.seconds = std::max<std::int64_t>(seconds.value_or(0), 0);
  return std::nullopt;
}

struct Node {
  std::string name, reason, reason_set_by_user, gres, comment, extra, topology;
  std::vector<std::string> state, partitions, features;
  std::uint32_t cpus = 0;
  std::uint64_t real_memory = 0;
  Time slurmd_start_time, boot_time, reason_changed_at;
};
BOOST_DESCRIBE_STRUCT(Node,
                      (),
                      (name,
                       reason,
                       reason_set_by_user,
                       gres,
                       comment,
                       extra,
                       topology,
                       state,
                       partitions,
                       features,
                       cpus,
                       real_memory,
                       slurmd_start_time,
                       boot_time,
                       reason_changed_at))

struct Nodes {
  std::vector<Node> nodes;
  Seconds last_update;
};
BOOST_DESCRIBE_STRUCT(Nodes, (), (nodes, last_update))

struct Controller {
  std::string hostname;
  bool responding = false;
  bool primary = false;
};
BOOST_DESCRIBE_STRUCT(Controller, (), (hostname, responding, primary))

struct Slurm {
  std::string release, cluster;
};
BOOST_DESCRIBE_STRUCT(Slurm, (), (release, cluster))

struct Meta {
  Slurm slurm;
};
BOOST_DESCRIBE_STRUCT(Meta, (), (slurm))

struct Pings {
  std::vector<Controller> pings;
  Meta meta;
};
BOOST_DESCRIBE_STRUCT(Pings, (), (pings, meta))

}  // namespace wire

namespace {

Node from_wire(wire::Node&& wire) {
  Node node;
  node.name = SlurmNodeName(std::move(wire.name));
  node.states = std::move(wire.state);
  node.reason = std::move(wire.reason);
  node.reason_set_by = std::move(wire.reason_set_by_user);
  node.cpus = wire.cpus;
  node.real_memory_mib = wire.real_memory;
  node.partitions = std::move(wire.partitions);
  node.features = std::move(wire.features);
  node.gres = std::move(wire.gres);
  node.comment = std::move(wire.comment);
  node.extra = std::move(wire.extra);
  node.topology = std::move(wire.topology);
  node.slurmd_start_time = wire.slurmd_start_time.seconds;
  node.boot_time = wire.boot_time.seconds;
  node.reason_changed_at = wire.reason_changed_at.seconds;
  return node;
}

}  // namespace

base::Result<std::optional<NodeList>> nodes(const net::http::Response& answer) {
  if (answer.status == 304) return std::optional<NodeList>();
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  if (!root.find("nodes")) {
    return base::Error(base::Kind::protocol, "an answer without a list of nodes");
  }
  TRY(wire::Nodes wire, json::decode<wire::Nodes>(root));
  NodeList list;
  list.last_update = wire.last_update.number;
  list.nodes.reserve(wire.nodes.size());
  for (wire::Node& node : wire.nodes) list.nodes.push_back(from_wire(std::move(node)));
  return std::optional(std::move(list));
}

base::Result<Ping> ping(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  TRY(wire::Pings wire, json::decode<wire::Pings>(root));
  Ping found;
  found.release = std::move(wire.meta.slurm.release);
  found.cluster = std::move(wire.meta.slurm.cluster);
  for (wire::Controller& one : wire.pings) {
    found.controllers.push_back({std::move(one.hostname), one.responding, one.primary});
  }
  return found;
}

}  // namespace slurm::inline api
