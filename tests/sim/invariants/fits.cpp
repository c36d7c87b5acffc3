// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>

#include <map>

namespace sim {
namespace {

using namespace std::chrono_literals;

// A pod is bound only to a node that can run it. Selector and volumes are always checked; room and
// health only as far as the binding process can know them. A process cannot know the changes of the
// last moment, nor earlier ones while a fault delays them.
class Fits final : public Invariant {
 public:
  std::string_view name() const override { return "I11"; }
  std::string_view sentence() const override { return "a pod is bound only where it fits"; }

  void pod(World& world, const PodTruth* before, const PodTruth* after) override {
    if (after == nullptr || !after->bound() || (before != nullptr && before->bound())) return;
    bound_[after->uid] = {world.now(), world.acting_since(), world.acting()};
    if (world.acting().empty()) return;
    look_at_place(world, *after);
    look_at_health(world, *after);
    look_at_room(world, *after);
  }

  void node(World& world, const std::string& name) override {
    const NodeTruth& node = world.node(name);
    if (node.in_kube && node.ready && !node.cordoned) {
      unusable_since_.erase(name);
    } else {
      unusable_since_.try_emplace(name, world.now());
    }
  }

 private:
  struct Bound {
    base::Instant at{};
    base::Instant sent{};  // when the bind was sent
    std::string by;
  };

  // By then all processes have received a change: watches deliver it within milliseconds.
  static constexpr auto kHeard = 3s;
  // After a fault it takes longer, because of requests under way and back-off.
  static constexpr auto kRecovered = 60s;

  // Whether the acting process knew a change when it sent its request. A bind may take effect much
  // later, when its sender is dead and another process has bound another pod.
  static bool is_known(const World& world, base::Instant since) {
    const base::Instant sent = world.acting_since();
    return sent >= since + kHeard && sent >= world.troubled_until() + kRecovered;
  }

  void look_at_place(World& world, const PodTruth& pod) const {
    if (!pod.disk.empty() && World::disk_of(pod.node) != pod.disk) {
      return world.broken(
          *this, fmt::format("{} wants disk {} and gets {}", pod.full_name(), pod.disk, pod.node));
    }
    for (const std::string& name : pod.claims) {
      const json::Value* claim = world.kube().find({"persistentvolumeclaims", pod.ns, name});
      if (claim == nullptr) continue;
      const std::string volume = text_at(*claim, {"spec", "volumeName"});
      if (volume.empty() || text_at(*claim, {"status", "phase"}) != "Bound") {
        return world.broken(*this,
                            fmt::format("{} is bound before its claim {}", pod.full_name(), name));
      }
      const json::Value* disk = world.kube().find({"persistentvolumes", "", volume});
      if (disk == nullptr || disk->dump().contains(fmt::format(R"("values":["{}"])", pod.node)))
        continue;
      world.broken(*this,
                   fmt::format("{} is bound to {}, from where its volume {} cannot be reached",
                               pod.full_name(),
                               pod.node,
                               volume));
    }
  }

  void look_at_health(World& world, const PodTruth& pod) const {
    const auto since = unusable_since_.find(pod.node);
    if (since == unusable_since_.end() || !is_known(world, since->second)) return;
    world.broken(*this,
                 fmt::format("{} is bound to {}, which is cordoned, dead or gone for long",
                             pod.full_name(),
                             pod.node));
  }

  void look_at_room(World& world, const PodTruth& pod) const {
    const auto counts = [&](const PodTruth& other) {
      if (other.uid == pod.uid) return false;
      const auto bound = bound_.find(other.uid);
      if (bound == bound_.end()) return false;
      const auto& [at, sent, by] = bound->second;
      // A process knows its own binds, unless the answer was lost.
      const bool own = by == world.acting() && sent >= world.began() &&
                       sent <= world.acting_since() && at > world.troubled_until();
      return own || is_known(world, at);
    };
    const World::Room taken = world.taken(pod.node, counts);
    const World::Room room = world.allocatable(pod.node);
    if (taken.cpus + pod.cpus <= room.cpus && taken.memory_gib + pod.memory_gib <= room.memory_gib)
      return;
    world.broken(*this,
                 fmt::format("{} wants {} CPUs of {}, where pods have {} of {}",
                             pod.full_name(),
                             pod.cpus,
                             pod.node,
                             taken.cpus,
                             room.cpus));
  }

  std::map<std::string, Bound> bound_;  // by uid
  std::map<std::string, base::Instant> unusable_since_;
};

}  // namespace

std::unique_ptr<Invariant> bound_where_it_fits() {
  return std::make_unique<Fits>();
}

}  // namespace sim
