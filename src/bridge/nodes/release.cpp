// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/release.h"

#include "bridge/marks/node_names.h"
#include "bridge/nodes/cordon.h"
#include "bridge/nodes/step_text.h"
#include "bridge/nodes/writes.h"
#include "kube/client/api.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace bridge::nodes {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using slurm::SlurmNodeName;

// The node in both systems.
struct Place {
  SlurmNodeName slurm;
  std::string kube;  // empty: not in Kubernetes
};

std::string step_line(const Place& place, const NodeStep& step, const slurm::Node* slurm) {
  if (!asks_slurm(step)) return fmt::format("{}: {}", place.kube, step_name(step));
  const bool undrains = std::holds_alternative<UndrainNode>(step) && slurm != nullptr;
  const std::string why = undrains ? fmt::format(" ({})", slurm->reason) : "";
  return fmt::format("{}: {} in Slurm{}", place.slurm, step_name(step), why);
}

// The Slurm names that Kubernetes nodes claim, and the nodes that cannot be decoded.
struct Claims {
  std::map<SlurmNodeName, std::set<std::string>> names;
  std::map<SlurmNodeName, Error> unreadable;
};

Claims claims_of(const kube::Listed<kube::Node>& nodes) {
  Claims claims;
  for (const kube::Node& node : nodes.objects)
    claims.names[marks::slurm_name(node)].insert(node.metadata.name);
  for (const kube::Unreadable& unreadable : nodes.unreadable) {
    kube::Node node;
    node.metadata = unreadable.object.metadata;
    claims.unreadable.emplace(marks::slurm_name(node), unreadable.error);
  }
  return claims;
}

class Worker {
 public:
  Worker(Releasing context, ReleaseOptions options, Mode mode, base::Duration timeout)
      : context_(std::move(context)),
        nodes_(kube::Api<kube::Node>(context_.loop, context_.kube).within(timeout)),
        options_(std::move(options)),
        mode_(mode),
        timeout_(timeout) {}

  net::Task<Result<std::size_t>> all() {
    CO_TRY(const auto list, co_await nodes_.list_readable({.page_size = 0}));
    CO_TRY(const slurm::NodeList known, co_await context_.slurm.nodes(deadline()));
    Claims claims = claims_of(list);
    std::set<SlurmNodeName> in_slurm;
    for (const slurm::Node& node : known.nodes) in_slurm.insert(node.name);
    for (const SlurmNodeName& name : in_slurm) claims.names.try_emplace(name);
    std::size_t failed = claims.unreadable.size();
    for (const auto& [name, error] : claims.unreadable) {
      // Its Slurm node does not count as a node without a Kubernetes node either.
      claims.names.erase(name);
      context_.report(fmt::format("{}: failed: {}", name, error.message()));
    }
    for (const auto& [name, names] : claims.names) {
      std::set<std::string> kube_names = names;
      if (kube_names.empty()) kube_names.insert("");
      // If several claim one Slurm node, each is processed, the Slurm node with the first.
      bool with_slurm = in_slurm.contains(name);
      for (const std::string& kube_name : kube_names) {
        const auto outcome = co_await one({name, kube_name}, std::exchange(with_slurm, false));
        if (outcome.ok()) continue;
        if (outcome.error().is(Kind::cancelled)) co_return outcome.error();
        ++failed;
        context_.report(fmt::format("{}: failed: {}", name, outcome.error().message()));
      }
    }
    co_return failed;
  }

 private:
  base::Instant deadline() const { return context_.loop.in(timeout_); }

  net::Task<Result<void>> one(Place place, bool in_slurm) {
    constexpr int kMostSteps = 8;  // more than one node can need
    for (int step = 0;; ++step) {
      std::optional<kube::Node> kube;
      std::optional<slurm::Node> slurm;
      if (!place.kube.empty()) {
        CO_TRY(kube, co_await nodes_.get({"", place.kube}));
      }
      if (in_slurm) {
        CO_TRY(slurm, co_await context_.slurm.node(place.slurm, deadline()));
      }
      const NodeReleasePlan release =
          release_of(kube ? &*kube : nullptr, slurm ? &*slurm : nullptr, options_);
      const bool all_at_once = mode_ == Mode::plan;
      if (all_at_once) {
        for (const NodeStep& next : release.steps)
          context_.report(step_line(place, next, slurm ? &*slurm : nullptr));
      }
      if (all_at_once || release.steps.empty()) {
        for (const std::string& left : release.left) context_.report(left);
        co_return Result<void>();
      }
      if (step == kMostSteps) co_return Error(Kind::conflict, "another client keeps changing it");
      const NodeStep& next = release.steps.front();
      const auto outcome = co_await take(place, kube ? &*kube : nullptr, next);
      // Another client was faster: the current state is read again.
      if (!outcome.ok() && !outcome.error().is(Kind::conflict)) co_return outcome.error();
      if (outcome.ok()) context_.report(step_line(place, next, slurm ? &*slurm : nullptr));
      if (outcome.ok() && std::holds_alternative<RemoveNode>(next)) in_slurm = false;
    }
  }

  net::Task<Result<void>> take(Place place, const kube::Node* node, NodeStep step) {
    if (std::holds_alternative<UndrainNode>(step))
      co_return co_await context_.slurm.change_node(place.slurm, slurm::Undrain{}, deadline());
    if (std::holds_alternative<RemoveNode>(step))
      co_return co_await context_.slurm.delete_node(place.slurm, deadline());
    const kube::ObjectKey key = node->metadata.key();
    const std::string version = node->metadata.resourceVersion;
    if (std::holds_alternative<RemoveTaint>(step)) {
      CO_TRY_VOID(co_await nodes_.patch_tested(
          key, version, remove_taint_patch(*node, managed_taint(options_.scheduler_name))));
      co_return Result<void>();
    }
    const bool uncordon = std::holds_alternative<Uncordon>(step);
    CO_TRY_VOID(
        co_await nodes_.patch(key,
                              kube::PatchType::merge,
                              uncordon ? uncordon_patch(*node) : forget_cordon_patch(*node)));
    co_return Result<void>();
  }

  Releasing context_;
  kube::Api<kube::Node> nodes_;
  ReleaseOptions options_;
  Mode mode_;
  base::Duration timeout_;
};

}  // namespace

NodeReleasePlan release_of(const kube::Node* kube,
                           const slurm::Node* slurm,
                           const ReleaseOptions& options) {
  NodeReleasePlan release;
  const auto mark = slurm != nullptr ? read_mark(slurm->comment) : std::nullopt;
  const bool anothers = mark && mark->cluster != options.cluster;
  const bool registered = mark && !anothers && slurm->external() && slurm->dynamic();
  const bool goes = registered && options.unregister && !slurm->busy();
  if (slurm != nullptr && !anothers) {
    const bool drained = slurm->draining() && slurm->reason.starts_with(kOurReason);
    const bool waits = registered && options.unregister && !goes;  // a drain helps to remove it
    if (goes) {
      release.steps.emplace_back(RemoveNode{});
    } else if (drained && kube == nullptr && !waits) {
      release.left.push_back(fmt::format(
          "{0}: stays drained in Slurm, Kubernetes has no such node any more; to use it: "
          "scontrol update NodeName={0} State=RESUME",
          slurm->name));
    } else if (drained && !waits) {
      release.steps.emplace_back(UndrainNode{});
    }
    if (registered && !goes) {
      release.left.push_back(fmt::format(
          "{}: stays registered in Slurm{}",
          slurm->name,
          options.unregister ? ", because jobs run there: run this again when they have ended"
                             : "; --unregister removes it"));
    }
  }
  if (kube == nullptr) return release;
  if (noted_reason(*kube) != nullptr) {
    if (cordoned(*kube) == Cordoned::by_us) {
      release.steps.emplace_back(Uncordon{});
    } else {
      release.steps.emplace_back(ForgetCordon{});
    }
  }
  const auto& taints = kube->spec.taints;
  if (std::ranges::find(taints, managed_taint(options.scheduler_name)) != taints.end())
    release.steps.emplace_back(RemoveTaint{});
  return release;
}

net::Task<Result<std::size_t>> release_nodes(Releasing context,
                                             ReleaseOptions options,
                                             Mode mode,
                                             base::Duration call_timeout) {
  Worker worker(std::move(context), std::move(options), mode, call_timeout);
  co_return co_await worker.all();
}

}  // namespace bridge::nodes
