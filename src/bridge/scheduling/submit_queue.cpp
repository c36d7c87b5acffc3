// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/submit_queue.h"

#include <utility>

namespace bridge::scheduling {

bool SubmitQueue::enter(const kube::ObjectKey& pod) {
  const bool was_called = called_.erase(pod) > 0;
  if (was_called || (line_.empty() && has_place())) {
    ++inside_;
    return true;
  }
  if (in_line_.insert(pod).second) line_.push_back(pod);
  return false;
}

std::vector<kube::ObjectKey> SubmitQueue::call() {
  std::vector<kube::ObjectKey> called;
  while (!line_.empty() && has_place()) {
    in_line_.erase(line_.front());
    called_.insert(line_.front());
    called.push_back(std::move(line_.front()));
    line_.pop_front();
  }
  return called;
}

}  // namespace bridge::scheduling
