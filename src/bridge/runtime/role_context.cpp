// SPDX-License-Identifier: Apache-2.0
#include "bridge/runtime/role_context.h"

namespace bridge::runtime {

void note_failed_step(const RoleContext& context,
                      std::string_view step,
                      const kube::ObjectKey& pod,
                      const base::Error& error) {
  using base::Kind;
  const bool usual =
      error.is(Kind::conflict) || error.is(Kind::not_found) || error.is(Kind::cancelled);
  context.steps.failed(step, error.kind());
  const std::string key = pod.to_string();
  if (usual) {
    context.log.debug("step did not succeed", {{"step", step}, {"pod", key}, {"error", error}});
  } else {
    context.log.warn("step did not succeed", {{"step", step}, {"pod", key}, {"error", error}});
  }
}

}  // namespace bridge::runtime
