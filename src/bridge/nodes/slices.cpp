// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/slices.h"

#include "bridge/nodes/sync.h"
#include "bridge/nodes/timing.h"
#include "bridge/runtime/role_context.h"
#include "kube/client/api.h"

#include <utility>

namespace bridge::nodes {
namespace {

using base::Kind;
using namespace std::chrono_literals;

const kube::Selection kSlices{kube::kResourceSlices, "", "", ""};

}  // namespace

NodeSlices::NodeSlices(net::Loop& loop, kube::Client& client, base::Log log)
    : loop_(loop),
      client_(client),
      log_(std::move(log)),
      reflector_(loop, client, kSlices, listening_, log_),
      wanted_signal_(loop) {
  store_.on_change([this](const kube::ObjectKey&, const auto& before, const auto& after) {
    changed(before.get(), after.get());
  });
}

void NodeSlices::want() {
  if (std::exchange(wanted_, true)) return;
  wanted_signal_.notify();
}

net::Task<void> NodeSlices::run() {
  while (!wanted_) {
    if (!(co_await wanted_signal_.wait()).ok()) co_return;
  }
  const auto slices = kube::Api<kube::DynamicObject>(loop_, client_, kube::kResourceSlices)
                          .within(runtime::kCallTimeout);
  for (;;) {
    // One object is enough to know whether the list is allowed.
    const auto answer = co_await slices.list({.at_most = 1});
    if (answer.ok()) break;
    if (answer.error().is(Kind::cancelled)) co_return;
    const bool refused = answer.error().is(Kind::not_found) || answer.error().is(Kind::forbidden);
    if (refused && !std::exchange(refused_, true)) {
      log_.warn(
          "nodes are registered in Slurm without their devices: ResourceSlices "
          "(resource.k8s.io/v1) "
          "cannot be read; grant list and watch on them if the cluster has any",
          {{"error", answer.error()}});
      on_known_();
    }
    if (!(co_await loop_.sleep_for(refused ? kAskForSlicesAgain
                                           : base::Duration(kRetrySlicesAfter)))
             .ok())
      co_return;
  }
  co_await reflector_.run();
}

void NodeSlices::Listening::list_ends() {
  const bool first = !owner_.store_.synced();
  owner_.store_.list_ends();
  if (!first) return;
  owner_.listed_at_ = owner_.loop_.now();
  owner_.on_known_();
}

void NodeSlices::changed(const DeviceSlice* before, const DeviceSlice* after) {
  std::set<std::string> nodes;
  if (before != nullptr && !before->node.empty()) {
    auto& keys = by_node_[before->node];
    keys.erase(before->metadata.key());
    if (keys.empty()) by_node_.erase(before->node);
    nodes.insert(before->node);
  }
  if (after != nullptr && !after->node.empty()) {
    by_node_[after->node].insert(after->metadata.key());
    nodes.insert(after->node);
  }
  for (const std::string& node : nodes) {
    if (store_.synced()) changed_at_[node] = loop_.now();
    if (changed_at_.size() > 2 * by_node_.size() + 64)
      std::erase_if(changed_at_, [this](const auto& entry) {
        return entry.second < loop_.now() - kRememberSlices;
      });
    on_change_(kube::NodeName(node));
  }
}

DeviceFacts NodeSlices::of(const kube::NodeName& node) const {
  using Known = DeviceFacts::Known;
  DeviceFacts facts;
  if (!store_.synced()) {
    facts.known = refused_ ? Known::never : Known::not_yet;
    return facts;
  }
  const auto at = changed_at_.find(node.value());
  facts.unchanged_for = loop_.now() - (at == changed_at_.end() ? listed_at_ : at->second);
  const auto keys = by_node_.find(node.value());
  if (keys == by_node_.end()) return facts;
  std::vector<std::shared_ptr<const DeviceSlice>> slices;
  for (const kube::ObjectKey& key : keys->second) {
    if (auto slice = store_.find(key)) slices.push_back(std::move(slice));
  }
  auto found = devices_of(slices);
  if (found.ok()) {
    facts.devices = *std::move(found);
  } else {
    facts.known = Known::not_yet;
    facts.missing = found.error().message();
  }
  return facts;
}

}  // namespace bridge::nodes
