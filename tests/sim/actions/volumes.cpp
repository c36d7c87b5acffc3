// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

void post(World& world, std::string path, std::string body) {
  net::http::Request request("POST", std::move(path), std::move(body));
  request.headers.emplace_back("Content-Type", "application/json");
  (void)world.as_user(std::move(request));
}

void add_claim(World& world, const std::string& name, std::string_view of_class) {
  post(world,
       fmt::format("/api/v1/namespaces/{}/persistentvolumeclaims", kNamespace),
       fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"storageClassName":"{}",)"
                   R"("accessModes":["ReadWriteOnce"],)"
                   R"("resources":{{"requests":{{"storage":"1Gi"}}}}}}}})",
                   name,
                   of_class));
}

// A local volume of one node. `holder` is the claim that it is reserved for, if any.
void add_volume(World& world,
                const std::string& name,
                const std::string& node,
                const std::string& holder) {
  const std::string belongs =
      holder.empty()
          ? ""
          : fmt::format(R"(,"claimRef":{{"namespace":"{}","name":"{}"}})", kNamespace, holder);
  post(world,
       "/api/v1/persistentvolumes",
       fmt::format(
           R"({{"metadata":{{"name":"{}"}},"spec":{{"storageClassName":"local",)"
           R"("capacity":{{"storage":"1Gi"}},"accessModes":["ReadWriteOnce"]{},)"
           R"("nodeAffinity":{{"required":{{"nodeSelectorTerms":[{{"matchExpressions":)"
           R"([{{"key":"kubernetes.io/hostname","operator":"In","values":["{}"]}}]}}]}}}}}}}})",
           name,
           belongs,
           node));
}

// A pod with a claim whose volume exists on a node, is provisioned on the pod's node, or is one of
// the free volumes of a node.
std::string create(World& world, const Draw& draw) {
  const std::string pod = fmt::format("data-{}", draw[0] % 6);
  const std::string node = fmt::format("n{}", draw[3] % world.plan().nodes);
  const std::uint64_t kind = draw[2] / 2 % 3;
  add_claim(world, pod, kind == 1 ? "made" : "local");
  if (kind == 0) add_volume(world, "disk-of-" + pod, node, pod);
  if (kind == 2) add_volume(world, fmt::format("free-{}-{}", node, draw[0] % 6), node, "");
  const std::string spec = fmt::format(
      R"(,"volumes":[{{"name":"data","persistentVolumeClaim":{{"claimName":"{}"}}}}])", pod);
  const auto cpus = static_cast<unsigned>(1 + draw[3] / 16 % 6);
  return create_pod(world, draw, {.name = "data", .spec = spec, .cpus = cpus});
}

}  // namespace

std::vector<Action> volume_actions() {
  return {{"create a pod with a volume", 14, false, create}};
}

}  // namespace sim
