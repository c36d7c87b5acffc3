// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/labels.h"

namespace slurmop::objects {

Labels labels(std::string_view cluster, std::string_view component) {
  Labels all = selector(cluster, component);
  all.emplace("app.kubernetes.io/part-of", "slurm-operator");
  all.emplace(kManagedBy, "slurm-operator");
  return all;
}

Labels selector(std::string_view cluster, std::string_view component) {
  return {{"app.kubernetes.io/name", "slurmcluster"},
          {std::string(kInstance), std::string(cluster)},
          {std::string(kComponent), std::string(component)}};
}

}  // namespace slurmop::objects
