// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"

#include <cstddef>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace bridge::scheduling {

// Limits the number of concurrent submits; first in, first out.
//
// Expects     that every called pod calls enter() or give_way().
// Guarantees  a pod that arrives while other pods are queued is queued behind them; a free place is
//             reserved for the pod that was called.
class SubmitQueue {
 public:
  explicit SubmitQueue(std::size_t places) : places_(places) {}

  // Whether the pod may submit now. Otherwise the pod is queued, unless it is queued already.
  bool enter(const kube::ObjectKey& pod);
  // A pod that entered has completed its submit.
  void leave() { --inside_; }

  // The place of a pod that entered; the destructor calls leave().
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

  // Reserves the free places for pods from the front of the queue, and returns these pods.
  std::vector<kube::ObjectKey> call();
  // Whether the pod was called and has not entered yet.
  bool is_called(const kube::ObjectKey& pod) const { return called_.contains(pod); }
  // The pod was called and does not submit: its place becomes free.
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
