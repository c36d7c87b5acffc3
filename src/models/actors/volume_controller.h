// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/actors/agenda.h"
#include "models/kube/server.h"

#include <functional>
#include <string>

namespace models::actors {

struct VolumeControllerOptions {
  // The duration of an action varies between these two.
  std::function<base::Duration(base::Duration least, base::Duration most)> some_time;
  // True if the provisioner cannot create a volume on the node that was chosen for this claim: it
  // then removes the choice.
  std::function<bool(const std::string& claim, const std::string& node)> refuses;
};

// Model of the binder of kube-controller-manager and of an external provisioner: completes claims
// that a scheduler began to bind, and creates volumes for claims that wait for a pod once a node
// was chosen (volume.kubernetes.io/selected-node).
//
// Expects     look_at() is called for every changed claim, and for the claim of every changed
//             volume; the agenda is run. All arguments outlive this.
// Guarantees  writes only from the agenda, never within look_at(); level-triggered. A created
//             volume is accessible from the chosen node only.
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
