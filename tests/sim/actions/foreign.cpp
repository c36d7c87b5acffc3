// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

std::string path_of(std::string_view name) {
  return fmt::format("/api/v1/namespaces/{}/pods/{}", kNamespace, name);
}

// Creates and binds a pod on a node with free CPUs, as kube-scheduler does. It does not know Slurm:
// resources of a running job whose pod is not bound are free for it. Some of its pods never end.
std::string place(World& world, const Draw& draw) {
  const std::string node = fmt::format("n{}", draw[1] % world.plan().nodes);
  if (!world.node(node).in_kube || !world.node(node).ready) return "";
  const auto all = [](const PodTruth&) { return true; };
  const unsigned taken = world.taken(node, all).cpus;
  const unsigned room = world.allocatable(node).cpus;
  if (taken >= room) return "";
  PodWish wish{.name = "other", .scheduler = kOtherScheduler};
  wish.cpus = static_cast<unsigned>(1 + draw[3] % (room - taken));
  wish.ends = draw[2] % 8 != 0;
  if (create_pod(world, draw, wish).empty()) return "";
  const std::string name = fmt::format("{}-{}", wish.name, draw[0] % 6);
  net::http::Request bind("POST",
                          path_of(name) + "/binding",
                          fmt::format(R"({{"target":{{"kind":"Node","name":"{}"}}}})", node));
  bind.headers.emplace_back("Content-Type", "application/json");
  (void)world.as_user(std::move(bind));
  return fmt::format(
      "another scheduler binds {} to {}, {} of {} CPUs", name, node, wish.cpus, room);
}

}  // namespace

std::vector<Action> foreign_actions() {
  return {{"another scheduler fills a node", 16, false, place}};
}

}  // namespace sim
