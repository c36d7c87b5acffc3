// SPDX-License-Identifier: Apache-2.0
#include "bridge/marks/toleration.h"

#include "workload/wellknown.h"

#include <algorithm>

namespace bridge::marks {

kube::Toleration our_toleration(const std::string& scheduler_name) {
  return {workload::kTaintKey, "Equal", scheduler_name, "NoExecute", std::nullopt};
}

bool has(const std::vector<kube::Toleration>& tolerations, const kube::Toleration& wanted) {
  return std::ranges::find(tolerations, wanted) != tolerations.end();
}

json::Object toleration_json(const kube::Toleration& toleration) {
  json::Object object;
  if (!toleration.key.empty()) object.set("key", toleration.key);
  if (!toleration.operator_.empty()) object.set("operator", toleration.operator_);
  if (!toleration.value.empty()) object.set("value", toleration.value);
  if (!toleration.effect.empty()) object.set("effect", toleration.effect);
  if (toleration.tolerationSeconds) object.set("tolerationSeconds", *toleration.tolerationSeconds);
  return object;
}

}  // namespace bridge::marks
