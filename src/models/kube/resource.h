// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace models::kube {

// A collection and the properties of its kind. Another collection is one more line in the table.
struct KubeResource {
  std::string group;  // "" is the core group
  std::string version;
  std::string plural;
  std::string kind;
  bool namespaced = true;
  bool has_status = true;          // as a subresource
  bool counts_generations = true;  // metadata.generation follows the spec
  bool may_overwrite = true;       // a PUT without a resourceVersion is accepted
  bool put_creates = false;

  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // "/api/v1", "/apis/coordination.k8s.io/v1"
  std::string api_path() const { return (group.empty() ? "/api/" : "/apis/") + api_version(); }
  // The name in messages: "pods", "leases.coordination.k8s.io".
  std::string qualified_plural() const { return group.empty() ? plural : plural + "." + group; }
  std::string qualified_kind() const { return group.empty() ? kind : kind + "." + group; }
};

// The collections of every server.
std::vector<KubeResource> builtin_resources();

}  // namespace models::kube
