// SPDX-License-Identifier: Apache-2.0
#include "operator/plan/desired_objects.h"

#include <iterator>

namespace slurmop::plan {

base::Result<std::vector<json::Object>> desired_objects(const settle::Cluster& cluster) {
  using Part = base::Result<parts::Objects> (*)(const settle::Cluster&);
  constexpr Part kParts[] = {parts::common,
                             parts::controller,
                             parts::rest,
                             parts::accounting,
                             parts::login,
                             parts::workers};
  std::vector<json::Object> objects;
  for (const Part part : kParts) {
    TRY(parts::Objects of_part, part(cluster));
    std::ranges::move(of_part, std::back_inserter(objects));
  }
  return objects;
}

std::vector<parts::SecretOrder> missing_secrets(const settle::Cluster& cluster,
                                                const Known& known) {
  std::vector<parts::SecretOrder> orders = parts::secrets(cluster);
  std::erase_if(
      orders, [&](const parts::SecretOrder& order) { return known.secrets.contains(order.name); });
  return orders;
}

}  // namespace slurmop::plan
