// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"
#include "world.h"

#include <fmt/format.h>

namespace sim {
namespace {

// Nobody else's drain or cordon is undone. We do not write to nodes at all yet; whoever adds that
// says here what he may undo.
class Drains final : public Invariant {
 public:
  std::string_view name() const override { return "I6"; }
  std::string_view sentence() const override { return "nobody else's drain or cordon is undone"; }

  void request(World& world, const Request& request) override {
    if (!request.write()) return;
    const auto target = target_of(request);
    const bool kube_node = target && target->plural == "nodes";
    const bool slurm_node =
        request.system == System::slurm && request.http.target.contains("/node");
    if (kube_node || slurm_node) {
      world.broken(*this, fmt::format("{} writes {}", request.process, request.http.target));
    }
  }
};

}  // namespace

std::unique_ptr<Invariant> drains_are_respected() {
  return std::make_unique<Drains>();
}

}  // namespace sim
