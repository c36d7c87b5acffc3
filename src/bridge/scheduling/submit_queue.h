// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <cstddef>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace bridge::scheduling {

// Who may submit a job now: a few at a time, and first come, first served.
//
// Expects     that whoever was called comes and then either enters or gives way.
// Guarantees  nobody overtakes: whoever comes while others stand in line stands behind them, and a
//             place that became free is kept for the one that was called.
class SubmitQueue {
 public:
  explicit SubmitQueue(std::size_t places) : places_(places) {}

  // Whether the pod may submit. If not, it stands in line, where it is already perhaps.
  bool enter(const kube::ObjectKey& pod);
  // One of those that entered is through.
  void leave() { --inside_; }

  // A place that was entered; leaves it at the end of its life.
  class Place {
   public:
    explicit Place(SubmitQueue& queue) : queue_(&queue) {}
    Place(Place&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(queue_, other.queue_);
      return *this;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
      if (queue_ != nullptr) queue_->leave();
    }

   private:
    SubmitQueue* queue_;
  };

  // Those for whom there is a place now, from the front of the line.
  std::vector<kube::ObjectKey> call();
  // Whether the pod has been called and not entered yet.
  bool is_called(const kube::ObjectKey& pod) const { return called_.contains(pod); }
  // It has been called and does not want to submit any more.
  void give_way(const kube::ObjectKey& pod) { called_.erase(pod); }

  std::size_t inside() const { return inside_; }
  std::size_t waiting() const { return line_.size(); }

 private:
  bool has_place() const { return inside_ + called_.size() < places_; }

  std::size_t places_;
  std::size_t inside_ = 0;
  std::deque<kube::ObjectKey> line_;
  std::set<kube::ObjectKey> in_line_;
  std::set<kube::ObjectKey> called_;
};

}  // namespace bridge::scheduling
