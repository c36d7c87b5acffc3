// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/actors/agenda.h"
#include "models/kube/server.h"

#include <functional>
#include <string>

namespace models::actors {

struct VolumeControllerOptions {
  // Some time between these two, for what takes now longer and now shorter.
  std::function<base::Duration(base::Duration least, base::Duration most)> some_time;
  // Whether the provisioner cannot make a volume on the node that was chosen for this claim: it
  // takes the choice back then.
  std::function<bool(const std::string& claim, const std::string& node)> refuses;
};

// The binder of kube-controller-manager and an external provisioner: completes claims that somebody
// began to bind, and makes volumes for claims that wait for a pod once a node was chosen for them
// (volume.kubernetes.io/selected-node).
//
// Expects     look_at() for every claim that has changed, and for the claim of every volume that
//             has; somebody who runs the agenda. All outlive this.
// Guarantees  writes only from the agenda, never within look_at(); level-triggered. A volume that
//             it makes can be reached from the chosen node only.
// Does not    match free volumes to claims by itself, resize, or reclaim.
class VolumeController {
 public:
  VolumeController(Agenda& agenda, kube::KubeServer& server, VolumeControllerOptions options)
      : agenda_(agenda), server_(server), options_(std::move(options)) {}

  void look_at(const std::string& ns, const std::string& claim);

 private:
  void act(const std::string& ns, const std::string& name);
  void make_volume(const json::Value& claim, const std::string& node);
  void bind(const json::Value& claim, const json::Value& volume);
  const json::Value* volume_for(const json::Value& claim) const;
  void write(std::string method, std::string path, const json::Value& body);

  Agenda& agenda_;
  kube::KubeServer& server_;
  VolumeControllerOptions options_;
};

}  // namespace models::actors
