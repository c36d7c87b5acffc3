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

// What is known of one node's devices.
struct DeviceFacts {
  enum class Known {
    yes,
    not_yet,  // nothing may be concluded, and no node is to be made before it is
    never,    // the API server does not serve ResourceSlices, or not to us
  };
  Known known = Known::yes;
  NodeDevices devices;
  std::string missing;                                       // what has to come, for people
  base::Duration unchanged_for = base::Duration::max() / 2;  // how long they are so before our eyes
};

// The ResourceSlices of all nodes, followed from the moment in which somebody wants them.
//
// Expects     that loop and client outlive it; run() as a task of a group.
// Guarantees  no call before want(); a server that does not serve them, or forbids them, is asked
//             again every few minutes and said to be so once.
class NodeSlices {
 public:
  NodeSlices(net::Loop& loop, kube::Client& client, base::Log log);
  NodeSlices(const NodeSlices&) = delete;
  NodeSlices& operator=(const NodeSlices&) = delete;

  net::Task<void> run();
  void want();

  DeviceFacts of(const kube::NodeName& node) const;

  // Called after something has become known of a node's devices.
  void on_change(std::function<void(const kube::NodeName&)> call) { on_change_ = std::move(call); }
  // Called after it has become known of all nodes, or that nobody will know it.
  void on_known(std::function<void()> call) { on_known_ = std::move(call); }

  bool wanted() const { return wanted_; }
  std::size_t size() const { return store_.objects().size(); }
  const kube::Reflector& reflector() const { return reflector_; }

 private:
  void changed(const DeviceSlice* before, const DeviceSlice* after);

  // Tells when a list has arrived as a whole.
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
