// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/actors/agenda.h"
#include "models/kube/server.h"

#include <functional>
#include <utility>

namespace models::actors {

// The garbage collector of kube-controller-manager, as an actor: does what the model's
// collect_garbage() has to do, some time after a change that may concern it.
//
// Expects     look_at() for every write; a caller that runs the agenda. All outlive this.
// Guarantees  writes only from the agenda, never within look_at(). Costs nothing, and asks for no
//             time, before the first object that has an owner or whose deletion waits for others.
class GarbageCollector {
 public:
  // Some time between these two.
  using SomeTime = std::function<base::Duration(base::Duration least, base::Duration most)>;

  GarbageCollector(Agenda& agenda, kube::KubeServer& server, SomeTime some_time)
      : agenda_(agenda), server_(server), some_time_(std::move(some_time)) {}

  void look_at(const kube::ObjectWrite& write);

 private:
  void act();

  Agenda& agenda_;
  kube::KubeServer& server_;
  SomeTime some_time_;
  bool has_work_ = false;  // an object had an owner, or a deletion waited for others
  bool due_ = false;       // act() is on the agenda
};

}  // namespace models::actors
