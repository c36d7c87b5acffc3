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

std::chrono::seconds a_while(std::uint64_t number) {
  return std::chrono::seconds(1 + number % 40);
}

// --- Slurm's administrators ---

std::string drain(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.slurm().drain(node, draw[2] % 8 == 0 ? "" : "admin: broken fan");
  world.agenda().in(a_while(draw[1]), [&world, node] { world.slurm().undrain(node); });
  return fmt::format("drains {} for a while", node);
}

std::string fail(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.slurm().fail_node(node, "not responding");
  world.agenda().in(a_while(draw[1]), [&world, node] { world.slurm().resume_node(node); });
  return fmt::format("node {} fails in Slurm, its jobs with it", node);
}

// --- Kubernetes' ---

void patch(World& world, const std::string& path, std::string body) {
  net::http::Request request("PATCH", "/api/v1/nodes/" + path, std::move(body));
  request.headers.emplace_back("Content-Type", "application/strategic-merge-patch+json");
  (void)world.as_user(std::move(request));
}

// As kubectl cordon and uncordon do it: what others noted on the node is nothing to them.
void set_cordon(World& world, const std::string& node, bool cordoned) {
  patch(world, node, fmt::format(R"({{"spec":{{"unschedulable":{}}}}})", cordoned));
}

std::string cordon(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  set_cordon(world, node, true);
  world.agenda().in(a_while(draw[1]), [&world, node] { set_cordon(world, node, false); });
  return fmt::format("cordons {} for a while", node);
}

void set_ready(World& world, const std::string& node, std::string_view status) {
  patch(world,
        node + "/status",
        fmt::format(R"({{"status":{{"conditions":[{{"type":"Ready","status":"{}"}}]}}}})", status));
}

std::string lose_sight(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  const std::string_view status = draw[2] % 2 == 0 ? "False" : "Unknown";
  set_ready(world, node, status);
  world.agenda().in(a_while(draw[1]), [&world, node] { set_ready(world, node, "True"); });
  return fmt::format("{} is not ready for a while ({})", node, status);
}

std::string delete_node(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  (void)world.as_user(net::http::Request("DELETE", "/api/v1/nodes/" + node));
  world.agenda().in(a_while(draw[1]), [&world, node] { world.add_node(node); });
  return fmt::format("deletes the node {}; it comes back later", node);
}

// --- machines ---

std::string kubelet_dies(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.kubelets().die(node);
  world.agenda().in(a_while(draw[1]), [&world, node] { world.kubelets().come_back(node); });
  return fmt::format("the kubelet of {} is dead for a while", node);
}

}  // namespace

std::vector<Action> node_actions() {
  return {{"drain a node", 5, false, drain},
          {"a node fails", 4, true, fail},
          {"cordon a node", 5, false, cordon},
          {"a node is not ready", 4, true, lose_sight},
          {"delete a node", 2, true, delete_node},
          {"a kubelet dies", 4, true, kubelet_dies}};
}

}  // namespace sim
