// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace sim {
namespace {

// The Slurm node of a request; "" for all nodes.
std::optional<std::string> slurm_node(const Request& request) {
  if (request.system != System::slurm) return std::nullopt;
  const std::string& target = request.http.target;
  if (target.contains("/nodes/")) return "";
  const std::size_t place = target.find("/node/");
  if (place == std::string::npos) return std::nullopt;
  return target.substr(place + 6);
}

// Drains and cordons of administrators are not undone, and finally both systems agree on each node.
//
// Slurm has no conditional writes. A process can overwrite a drain that an administrator set after
// the process last read the node; no process can prevent this, so it is not a violation.
class Drains final : public Invariant {
 public:
  std::string_view name() const override { return "I6"; }
  std::string_view sentence() const override { return "nobody else's drain or cordon is undone"; }

  void request(World& world, const Request& request) override {
    const bool done = request.answer.status < 300 || request.answer.status == 304;
    if (const auto node = slurm_node(request); node && !request.write() && done) {
      looks_[{request.process, world.kube_name(*node)}].push_back({world.now(), request.answered});
    } else if (node && done) {
      slurm_written(world, request, world.kube_name(*node));
    } else if (request.write() && done) {
      const auto target = target_of(request);
      if (target && target->plural == "nodes") kube_written(world, request, target->name);
    }
    take(world);
  }

  void moment(World& world) override { take(world); }

  std::optional<std::string> unfinished(World& world) override {
    for (const auto& [name, node] : world.nodes()) {
      if (auto what = disagreement(node)) return name + " " + *what;
    }
    return std::nullopt;
  }

 private:
  void slurm_written(World& world, const Request& request, const std::string& node) {
    const NodeTruth& before = known_[node];
    const NodeTruth& after = world.node(node);
    const bool lost = before.drained_by_people() && !after.drained_by_people();
    if (lost && seen_by(request, node))
      world.broken(*this,
                   fmt::format("{} undoes somebody's drain of {} ({}): {}",
                               request.process,
                               node,
                               before.reason,
                               request.http.body));
    if (before.down && !after.down)
      world.broken(*this, fmt::format("{} brings {} back up", request.process, node));
  }

  void kube_written(World& world, const Request& request, const std::string& node) {
    const NodeTruth& after = world.node(node);
    if (known_[node].cordoned_by_people() && !after.cordoned_by_people())
      world.broken(*this, fmt::format("{} undoes somebody's cordon of {}", request.process, node));
  }

  // Whether the process had read the drain when it sent the request. A request may take effect much
  // later and cannot be withdrawn.
  bool seen_by(const Request& request, const std::string& node) const {
    const auto since = drained_since_.find(node);
    if (since == drained_since_.end()) return false;
    for (const std::string& what : {std::string(), node}) {
      const auto looks = looks_.find({request.process, what});
      if (looks == looks_.end()) continue;
      const bool seen = std::ranges::any_of(looks->second, [&](const Look& look) {
        return look.at > since->second && look.answered <= request.sent;
      });
      if (seen) return true;
    }
    return false;
  }

  void take(World& world) {
    if (taken_ == world.node_changes()) return;
    taken_ = world.node_changes();
    for (const auto& [node, now] : world.nodes()) {
      const NodeTruth& before = known_[node];
      if (!now.drained_by_people()) {
        drained_since_.erase(node);
      } else if (!before.drained_by_people() || before.reason != now.reason) {
        drained_since_[node] = world.now();
      }
      known_[node] = now;
    }
  }

  static std::optional<std::string> disagreement(const NodeTruth& node) {
    const bool usable = node.in_kube && node.ready && !node.cordoned_by_people();
    if (node.in_slurm && !usable && !node.drained && !node.down)
      return "cannot be used in Kubernetes, and Slurm gives it to jobs";
    if (usable && node.drained_by_us()) return "could be used, and is still drained by us";
    const bool unused = node.drained_by_people() || node.down;
    if (unused && node.in_kube && !node.cordoned && !node.noted)
      return "is out of use in Slurm, and open in Kubernetes";
    if (!unused && node.noted) return "is in use in Slurm, and still cordoned by us";
    return std::nullopt;
  }

  std::map<std::string, NodeTruth> known_;
  std::uint64_t taken_ = 0;  // node_changes() of known_
  std::map<std::string, base::Instant> drained_since_;
  struct Look {
    base::Instant at;        // time of the state that was read
    base::Instant answered;  // when the process got the answer
  };
  std::map<std::pair<std::string, std::string>, std::vector<Look>> looks_;  // by process and node
};

}  // namespace

std::unique_ptr<Invariant> drains_are_respected() {
  return std::make_unique<Drains>();
}

}  // namespace sim
