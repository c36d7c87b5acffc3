// SPDX-License-Identifier: Apache-2.0
#include "base/integer.h"
#include "models/slurm/call.h"
#include "models/slurm/cluster.h"
#include "models/slurm/error.h"
#include "models/slurm/hosts.h"
#include "models/slurm/job_asked.h"
#include "models/slurm/job_names.h"
#include "models/slurm/node_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

namespace models::slurm {
namespace {

const std::set<std::string_view> kKnownFields{"address",
                                              "comment",
                                              "cpu_bind",
                                              "extra",
                                              "features",
                                              "features_act",
                                              "gres",
                                              "hostname",
                                              "name",
                                              "reason",
                                              "reason_uid",
                                              "resume_after",
                                              "state",
                                              "topology_str",
                                              "weight"};

constexpr auto kGivesUpOnNodes = std::chrono::seconds(10);

// The members of a node update.
struct NodeAsked {
  std::vector<std::string> names;
  std::vector<std::string> states;
  std::optional<std::string> reason, comment, extra, topology;
  std::optional<std::vector<std::string>> features;
  SlurmComplaints complaints;
};

std::vector<std::string> texts(const json::Node& value) {
  std::vector<std::string> all;
  if (const auto one = value.as_string()) all.emplace_back(*one);
  value.each_element([&](json::Node element) {
    all.emplace_back(element.as_string().value_or(""));
    return true;
  });
  return all;
}

std::vector<std::string> expanded(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    const auto some = expand_hostlist(list);
    if (some.ok()) names.insert(names.end(), some->begin(), some->end());
  }
  return names;
}

NodeAsked read_node_asked(const json::Node& object) {
  NodeAsked asked;
  object.each_member([&](std::string_view key, json::Node value) {
    const auto text = [&] { return std::string(value.as_string().value_or("")); };
    if (key == "name") asked.names = expanded(texts(value));
    if (key == "reason") asked.reason = text();
    if (key == "comment") asked.comment = text();
    if (key == "extra") asked.extra = text();
    if (key == "topology_str") asked.topology = text();
    if (key == "features") asked.features = texts(value);
    if (key == "state") {
      for (const std::string& state : texts(value)) {
        if (is_node_state(state)) {
          asked.states.push_back(state);
          continue;
        }
        asked.complaints.errors.push_back(
            {fmt::format("Unknown flag \"{}\"", state), 9207, "#/state[0]/"});
        asked.states.emplace_back("INVALID");
      }
    }
    if (!kKnownFields.contains(key)) {
      warn_unknown(asked.complaints.warnings,
                   "DATA_PARSER_UPDATE_NODE_MSG",
                   fmt::format("#/{}/", key),
                   {key, value});
    }
    return true;
  });
  return asked;
}

}  // namespace

std::vector<std::string> SlurmCluster::partitions_of(const std::string& node) const {
  std::vector<std::string> names;
  for (const SlurmPartition& partition : options_.partitions) {
    if (partition.nodes.empty() || std::ranges::count(partition.nodes, node) > 0) {
      names.push_back(partition.name);
    }
  }
  return names;
}

net::http::Response SlurmCluster::list_nodes(const SlurmCall& call) {
  const auto since = base::parse_integer<std::int64_t>(call.find("update_time").value_or("0"));
  if (since.ok() && *since - 1 >= last_node_update_) return {304, {{"Connection", "Close"}}, ""};
  std::string payload;
  payload.reserve(2048 * hosts_.size());
  SlurmText out(payload);
  out.begin_array("nodes");
  for (const SlurmHost& host : std::views::values(hosts_)) write_node(out, host, call.version);
  out.end_array();
  out.set("last_update", wall());
  payload += ',';
  return answer(call, 200, payload);
}

net::http::Response SlurmCluster::get_node(const SlurmCall& call) {
  const std::string name(call.path[1]);
  const auto found = hosts_.find(name);
  if (found == hosts_.end()) {
    SlurmComplaints complaints;
    complaints.errors.push_back({"Failure to query node " + name, 0, "_dump_nodes"});
    return answer(call, 200, "", complaints);
  }
  std::string payload;
  SlurmText out(payload);
  out.begin_array("nodes");
  write_node(out, found->second, call.version);
  out.end_array();
  out.set("last_update", wall());
  payload += ',';
  return answer(call, 200, payload);
}

net::http::Response SlurmCluster::update_nodes(const SlurmCall& call,
                                               const std::vector<std::string>& names) {
  NodeAsked asked;
  if (!call.body.empty()) {
    const auto root = parser_.parse(call.body);
    if (!root.ok()) return {400, {{"Connection", "Close"}}, "Failure during parsing"};
    asked = read_node_asked(*root);
  }
  if (!names.empty()) asked.names = names;
  SlurmComplaints& complaints = asked.complaints;
  const auto update = [&](const std::string& name) {
    if (!call.admin()) return 2010;
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) return 2018;
    SlurmNode& node = found->second;
    if (asked.topology && !asked.topology->empty()) return 2178;  // there is no topology.yaml
    if (asked.reason) {
      node.reason = *asked.reason;
      node.reason_set_by = call.user;
      node.reason_set_at = wall();
    }
    if (asked.comment) node.comment = *asked.comment;
    if (asked.extra) node.extra = *asked.extra;
    if (asked.features) node.features = {asked.features->begin(), asked.features->end()};
    nodes_changed();
    for (const std::string& state : asked.states) {
      if (const int number = set_node_state(node, state, call.user); number != 0) return number;
    }
    return 0;
  };
  for (const std::string& name : asked.names) {
    const int number = update(name);
    if (number == 0) continue;
    complaints.errors.push_back({"Failure to update node " + name, number, "_update_node"});
    break;
  }
  const int status = complaints.errors.empty() ? 200 : status_of(complaints.errors[0].number);
  return answer(call, status, "", complaints);
}

int SlurmCluster::set_node_state(SlurmNode& node,
                                 const std::string& state,
                                 const std::string& user) {
  const auto clear_reason = [&] {
    node.reason.clear();
    node.reason_set_by.clear();
    node.reason_set_at = 0;
  };
  if (state == "DRAIN") {
    node.drained = true;
  } else if (state == "UNDRAIN") {
    node.drained = false;
    if (!node.down) clear_reason();
  } else if (state == "RESUME") {
    if (!node.drained && !node.down) return 2180;
    node.drained = false;
    node.down = false;
    clear_reason();
  } else if (state == "DOWN") {
    node.down = true;
    if (node.reason_set_by.empty()) node.reason_set_by = user;
    const std::set<std::uint32_t> running = running_;
    for (const std::uint32_t id : running) {
      const auto job = jobs_.find(id);
      if (job == jobs_.end() || std::ranges::count(job->second.nodes, node.name) == 0) continue;
      job->second.failed_node = node.name;
      finish(job->second, "NODE_FAIL", "NodeDown");
    }
  } else {
    return 2180;
  }
  nodes_changed();
  return 0;
}

net::http::Response SlurmCluster::create_nodes(const SlurmCall& call) {
  std::string conf;
  if (!call.body.empty()) {
    const auto root = parser_.parse(call.body);
    if (!root.ok()) return {400, {{"Connection", "Close"}}, "Failure during parsing"};
    if (const auto member = root->find("node_conf")) conf = member->as_string().value_or("");
  }
  SlurmComplaints complaints;
  const auto refuse = [&](int number) {
    complaints.errors.push_back({"Failure to create node", number, "_create_node"});
    return answer(call, status_of(number), "", complaints);
  };
  if (!call.admin()) return refuse(2010);
  const auto read = read_node_conf(conf);
  if (const int* number = std::get_if<int>(&read)) return refuse(*number);
  const auto& created = std::get<std::vector<SlurmNode>>(read);
  for (const SlurmNode& node : created) {
    if (nodes_.contains(node.name)) return refuse(2168);
  }
  for (const SlurmNode& node : created) (void)create_node(node);
  return answer(call, 200, "", complaints);
}

bool SlurmCluster::create_node(SlurmNode node) {
  const std::string name = node.name;
  if (!nodes_.emplace(name, std::move(node)).second) return false;
  rebuild_hosts();
  nodes_changed();
  return true;
}

bool SlurmCluster::remove_node(const std::string& node) {
  const auto found = hosts_.find(node);
  if (found == hosts_.end() || !found->second.use.idle()) return false;
  std::erase_if(unanswered_, [&](const auto& one) { return one.second == node; });
  hosts_.erase(found);
  nodes_.erase(node);
  rebuild_hosts();
  nodes_changed();
  return true;
}

// slurmctld sends a message to the nodes of a job. External nodes have no slurmd.
void SlurmCluster::send_to_nodes(const SlurmJob& job) {
  if (options_.nodes_answer) return;
  for (const std::string& name : job.nodes) {
    const auto node = nodes_.find(name);
    if (node != nodes_.end() && node->second.external)
      unanswered_.emplace(clock_.now() + kGivesUpOnNodes, name);
  }
}

base::Instant SlurmCluster::answers_due() const {
  return unanswered_.empty() ? base::kNever : unanswered_.begin()->first;
}

void SlurmCluster::miss_answers() {
  while (answers_due() <= clock_.now()) {
    nodes_.at(unanswered_.begin()->second).not_responding = true;
    unanswered_.erase(unanswered_.begin());
    nodes_changed();
  }
}

net::http::Response SlurmCluster::delete_node(const SlurmCall& call) {
  const std::string name(call.path[1]);
  SlurmComplaints complaints;
  const auto done = [&](int number) {
    if (number != 0) {
      complaints.errors.push_back({"Failure to delete node " + name, number, "op_handler_node"});
    }
    return answer(call, number == 0 ? 200 : status_of(number), "", complaints);
  };
  if (!call.admin()) return done(2010);
  const auto found = hosts_.find(name);
  if (found == hosts_.end()) return done(2018);
  if (!found->second.node->external) return done(2028);
  return done(remove_node(name) ? 0 : 2016);
}

}  // namespace models::slurm
