// SPDX-License-Identifier: Apache-2.0
// Namespaces that are being deleted.
#include "models/kube/json.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <vector>

namespace models::kube {

bool KubeServer::empty_namespace(const std::string& name) {
  bool has_content = false;
  for (const auto& [resource, storage] : served_) {
    const bool is_second_face = resource.group == "events.k8s.io";
    if (!resource.namespaced || is_second_face) continue;
    const std::string prefix = name + "/";
    const auto& objects = collections_[storage].objects();
    std::vector<std::string> doomed;
    for (auto one = objects.lower_bound(prefix); one != objects.end(); ++one) {
      if (!one->first.starts_with(prefix)) break;
      has_content = true;
      if (is_deleting(one->second->value)) continue;
      doomed.push_back(fmt::format("{}/namespaces/{}/{}/{}",
                                   resource.api_path(),
                                   name,
                                   resource.plural,
                                   one->first.substr(prefix.size())));
    }
    for (std::string& target : doomed) (void)handle({"DELETE", std::move(target)});
  }
  return has_content;
}

bool KubeServer::tidy_namespaces() {
  std::vector<std::string> leaving;
  for (const json::Value* space : all("namespaces")) {
    if (is_deleting(*space)) leaving.emplace_back(text_at(*space, {"metadata", "name"}));
  }
  for (const std::string& name : leaving) {
    if (empty_namespace(name)) continue;
    (void)handle({"PUT", "/api/v1/namespaces/" + name + "/finalize", "{}"});
  }
  return !leaving.empty();
}

}  // namespace models::kube
