// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {
namespace {

using namespace std::chrono_literals;

std::string any_node(World& world, std::uint64_t number) {
  return fmt::format("n{}", number % world.plan().nodes);
}

std::chrono::seconds a_while(std::uint64_t number) {
  return std::chrono::seconds(1 + number % 40);
}

// --- administrators of Slurm ---

std::string drain(World& world, const Draw& draw) {
  const std::string node = world.slurm_name(any_node(world, draw[0]));
  world.slurm().drain(node, draw[2] % 8 == 0 ? "" : "admin: broken fan");
  world.later(a_while(draw[1]), [&world, node] { world.slurm().undrain(node); });
  return fmt::format("drains {} for a while", node);
}

std::string fail(World& world, const Draw& draw) {
  const std::string node = world.slurm_name(any_node(world, draw[0]));
  world.slurm().fail_node(node, "not responding");
  world.later(a_while(draw[1]), [&world, node] { world.slurm().resume_node(node); });
  return fmt::format("node {} fails in Slurm, its jobs with it", node);
}

// Only a node without jobs; it is created again later.
std::string delete_in_slurm(World& world, const Draw& draw) {
  const std::string name = world.slurm_name(any_node(world, draw[0]));
  const auto found = world.slurm().nodes().find(name);
  if (found == world.slurm().nodes().end()) return "";
  models::slurm::SlurmNode anew = found->second;
  anew.drained = anew.down = anew.not_responding = false;
  anew.reason.clear();
  if (!world.slurm().remove_node(name)) return "";
  world.later(a_while(draw[1]), [&world, anew] { (void)world.slurm().create_node(anew); });
  return fmt::format("deletes the node {} in Slurm; it comes back later", name);
}

// --- administrators of Kubernetes ---

void patch(World& world, const std::string& path, std::string body) {
  net::http::Request request("PATCH", "/api/v1/nodes/" + path, std::move(body));
  request.headers.emplace_back("Content-Type", "application/strategic-merge-patch+json");
  (void)world.as_user(std::move(request));
}

// As kubectl cordon and uncordon, which do not change annotations.
void set_cordon(World& world, const std::string& node, bool cordoned) {
  patch(world, node, fmt::format(R"({{"spec":{{"unschedulable":{}}}}})", cordoned));
}

// An administrator of Slurm drains the node. An administrator of Kubernetes removes the resulting
// cordon and sets another one for their own reason, which lasts longer than the drain.
std::string cordon_anew(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  const auto lifted = a_while(draw[1]);
  const auto again = lifted + std::chrono::milliseconds(draw[3] % 4000);
  world.slurm().drain(world.slurm_name(node), "admin: broken fan");
  world.later(lifted, [&world, node] { set_cordon(world, node, false); });
  world.later(again, [&world, node] { set_cordon(world, node, true); });
  world.later(again + a_while(draw[3]),
              [&world, node] { world.slurm().undrain(world.slurm_name(node)); });
  world.later(again + 60s, [&world, node] { set_cordon(world, node, false); });
  return fmt::format("{} is drained in Slurm, uncordoned, and cordoned by an administrator", node);
}

std::string cordon(World& world, const Draw& draw) {
  if (draw[2] % 3 == 0) return cordon_anew(world, draw);
  const std::string node = any_node(world, draw[0]);
  set_cordon(world, node, true);
  world.later(a_while(draw[1]), [&world, node] { set_cordon(world, node, false); });
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
  world.later(a_while(draw[1]), [&world, node] { set_ready(world, node, "True"); });
  return fmt::format("{} is not ready for a while ({})", node, status);
}

std::string delete_node(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  (void)world.as_user(net::http::Request("DELETE", "/api/v1/nodes/" + node));
  world.later(a_while(draw[1]), [&world, node] { world.add_node(node); });
  return fmt::format("deletes the node {}; it comes back later", node);
}

// --- machines ---

void delete_pods_of(World& world, const std::string& node, const std::string& options) {
  std::vector<std::string> paths;
  for (const auto& [uid, pod] : world.pods()) {
    if (pod.node == node)
      paths.push_back(fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns, pod.name));
  }
  for (const std::string& path : paths) {
    net::http::Request request("DELETE", path, options);
    request.headers.emplace_back("Content-Type", "application/json");
    (void)world.as_user(std::move(request));
  }
}

// As the pod garbage collector: sets the phase Failed and deletes the pods without grace period.
void give_up_pods_of(World& world, const std::string& node) {
  std::vector<std::string> paths;
  for (const auto& [uid, pod] : world.pods()) {
    if (pod.node == node && !pod.ended())
      paths.push_back(fmt::format("/api/v1/namespaces/{}/pods/{}/status", pod.ns, pod.name));
  }
  for (const std::string& path : paths) {
    net::http::Request request("PATCH", path, R"({"status":{"phase":"Failed"}})");
    request.headers.emplace_back("Content-Type", "application/merge-patch+json");
    (void)world.as_user(std::move(request));
  }
  delete_pods_of(world, node, R"({"gracePeriodSeconds":0})");
}

std::string kubelet_dies(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  world.kubelets().die(node);
  world.later(a_while(draw[1]), [&world, node] { world.kubelets().come_back(node); });
  return fmt::format("the kubelet of {} is dead for a while", node);
}

// The node becomes Unknown and its pods are deleted, but no kubelet ends them. Later the machine
// returns, or the Node is deleted and its pods are removed by force.
std::string machine_dies(World& world, const Draw& draw) {
  const std::string node = any_node(world, draw[0]);
  const bool for_good = draw[2] % 3 == 0;
  const auto back_after = std::chrono::seconds(for_good ? 90 : 20 + draw[1] % 80);
  world.kubelets().die(node);
  world.later(4s, [&world, node] { set_ready(world, node, "Unknown"); });
  world.later(9s, [&world, node] { delete_pods_of(world, node, ""); });
  if (for_good) {
    // Some cloud providers delete the Node early.
    world.later(draw[2] % 2 == 0 ? 70s : 6s, [&world, node] {
      (void)world.as_user(net::http::Request("DELETE", "/api/v1/nodes/" + node));
    });
    world.later(80s, [&world, node] { give_up_pods_of(world, node); });
  }
  world.later(back_after, [&world, node, for_good] {
    if (for_good) world.add_node(node);
    set_ready(world, node, "True");
    world.kubelets().come_back(node);
  });
  return fmt::format("the machine {} dies{}", node, for_good ? " for good" : "");
}

}  // namespace

std::vector<Action> node_actions() {
  return {{"drain a node", 5, false, drain},
          {"a node fails", 4, true, fail},
          {"cordon a node", 5, false, cordon},
          {"a node is not ready", 4, true, lose_sight},
          {"delete a node", 2, true, delete_node},
          {"delete a node in Slurm", 4, true, delete_in_slurm},
          {"a kubelet dies", 4, true, kubelet_dies},
          {"a machine dies", 3, true, machine_dies}};
}

}  // namespace sim
