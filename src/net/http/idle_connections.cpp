// SPDX-License-Identifier: Apache-2.0
#include "net/http/idle_connections.h"

#include <utility>

namespace net {

std::unique_ptr<Stream> IdleConnections::take() {
  while (!idle_.empty()) {
    Idle last = std::move(idle_.back());
    idle_.pop_back();
    if (clock_.now() - last.since > longest_) {
      idle_.clear();  // all others have been idle even longer
      return nullptr;
    }
    if (last.stream->looks_alive()) return std::move(last.stream);
  }
  return nullptr;
}

void IdleConnections::put(std::unique_ptr<Stream> stream) {
  if (most_ == 0) return;
  if (idle_.size() == most_) idle_.erase(idle_.begin());
  idle_.push_back(Idle{std::move(stream), clock_.now()});
}

}  // namespace net
