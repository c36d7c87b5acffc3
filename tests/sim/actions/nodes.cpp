// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {
namespace {

std::string any_node(World& world, std::uint64_t number) {
  return fmt::format("n{}", number % world.plan().nodes);
}

std::string drain(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.slurm().drain(node, "admin: broken fan");
  world.agenda().in(std::chrono::seconds(1 + draw[1] % 40),
                    [&world, node] { world.slurm().undrain(node); });
  return fmt::format("drains {} for a while", node);
}

std::string fail(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.slurm().fail_node(node, "not responding");
  world.agenda().in(std::chrono::seconds(1 + draw[1] % 40),
                    [&world, node] { world.slurm().resume_node(node); });
  return fmt::format("node {} fails in Slurm, its jobs with it", node);
}

std::string kubelet_dies(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.kubelets().die(node);
  world.agenda().in(std::chrono::seconds(1 + draw[1] % 40),
                    [&world, node] { world.kubelets().come_back(node); });
  return fmt::format("the kubelet of {} is dead for a while", node);
}

}  // namespace

std::vector<Action> node_actions() {
  return {{"drain a node", 5, false, drain},
          {"a node fails", 4, true, fail},
          {"a kubelet dies", 4, true, kubelet_dies}};
}

}  // namespace sim
