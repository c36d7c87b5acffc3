// SPDX-License-Identifier: Apache-2.0
#include "bridge/runtime/role_context.h"

namespace bridge::runtime {

kube::Requeue step_failed(const RoleContext& context,
                          std::string_view step,
                          const StepObject& object,
                          const base::Error& error) {
  using base::Kind;
  const bool expected =
      error.is(Kind::conflict) || error.is(Kind::not_found) || error.is(Kind::cancelled);
  context.steps.failed(step, error.kind());
  const auto log = expected ? &base::Log::debug : &base::Log::warn;
  (context.log.*log)("step did not succeed",
                     {{"step", step}, {object.kind, object.name}, {"error", error}});
  return kube::Requeue::after_backoff(error);
}

}  // namespace bridge::runtime
