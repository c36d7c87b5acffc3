// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/nodes/devices.h"
#include "kube/cache/reflector.h"
#include "kube/cache/store.h"
#include "kube/client/client.h"
#include "net/async/loop.h"
#include "net/async/signal.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bridge::nodes {

// What is known of the devices of one node.
struct DeviceFacts {
  enum class Known {
    yes,
    not_yet,  // nothing may be concluded, and no node is created before
    never,    // the API server does not serve ResourceSlices, or not to us
  };
  Known known = Known::yes;
  NodeDevices devices;
  std::string missing;  // what is missing, for messages
  // How long this process has seen no change.
  base::Duration unchanged_for = base::Duration::max() / 2;
};

// The ResourceSlices of all nodes, watched from the first want() on.
//
// Expects     loop and client outlive it; run() is a task of a group.
// Guarantees  no call before want(); a server that does not serve or permit them is asked again
//             every few minutes, and this is logged once.
class NodeSlices {
 public:
  NodeSlices(net::Loop& loop, kube::Client& client, base::Log log);
  NodeSlices(const NodeSlices&) = delete;
  NodeSlices& operator=(const NodeSlices&) = delete;

  net::Task<void> run();
  void want();

  DeviceFacts of(const kube::NodeName& node) const;

  // Called after the devices of a node have changed.
  void on_change(std::function<void(const kube::NodeName&)> call) { on_change_ = std::move(call); }
  // Called after the devices of all nodes are known, or are known to be unavailable.
  void on_known(std::function<void()> call) { on_known_ = std::move(call); }

  bool wanted() const { return wanted_; }
  std::size_t size() const { return store_.objects().size(); }
  const kube::Reflector& reflector() const { return reflector_; }

 private:
  void changed(const DeviceSlice* before, const DeviceSlice* after);

  // Detects that a list is complete.
  class Listening final : public kube::Sink {
   public:
    explicit Listening(NodeSlices& owner) : owner_(owner) {}
    void list_begins() override { owner_.store_.list_begins(); }
    void list_item(const json::Node& object) override { owner_.store_.list_item(object); }
    void list_ends() override;
    void changed(const json::Node& object) override { owner_.store_.changed(object); }
    void deleted(const json::Node& object) override { owner_.store_.deleted(object); }

   private:
    NodeSlices& owner_;
  };

  net::Loop& loop_;
  kube::Client& client_;
  base::Log log_;
  kube::Store<DeviceSlice> store_;
  Listening listening_{*this};
  kube::Reflector reflector_;
  net::Signal wanted_signal_;
  bool wanted_ = false;
  bool refused_ = false;
  base::Instant listed_at_{};
  std::map<std::string, std::set<kube::ObjectKey>> by_node_;
  std::map<std::string, base::Instant> changed_at_;
  std::function<void(const kube::NodeName&)> on_change_ = [](const kube::NodeName&) {};
  std::function<void()> on_known_ = [] {};
};

}  // namespace bridge::nodes
