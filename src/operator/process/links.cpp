// SPDX-License-Identifier: Apache-2.0
#include "operator/process/links.h"

#include <utility>

namespace slurmop::process {

using kube::ObjectKey;

std::shared_ptr<ClusterLink> Links::of(const kube::ObjectMeta& cluster) {
  const ObjectKey key = cluster.key();
  const auto found = links_.find(key);
  if (found != links_.end() && found->second.uid == cluster.uid) return found->second.link;
  remove(key);
  auto link = std::make_shared<ClusterLink>(context_, key, [this, key] { changed_(key); });
  links_[key] = {cluster.uid, link};
  if (running_ != nullptr) start(link);
  return link;
}

void Links::remove(const ObjectKey& cluster) {
  const auto found = links_.find(cluster);
  if (found == links_.end()) return;
  found->second.link->stop();
  links_.erase(found);
}

void Links::start(std::shared_ptr<ClusterLink> link) {
  const auto run = [link = std::move(link)]() -> net::Task<void> { co_await link->run(); };
  running_->spawn("link", run);
}

net::Task<void> Links::run() {
  net::TaskGroup tasks(context_.access.loop);
  running_ = &tasks;
  for (const auto& [key, entry] : links_) start(entry.link);
  (void)co_await context_.access.loop.sleep_until(base::kNever);
  running_ = nullptr;
  tasks.cancel();
  co_await tasks.join();
  links_.clear();
}

}  // namespace slurmop::process
