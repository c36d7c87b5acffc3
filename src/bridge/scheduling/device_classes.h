// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "kube/client/client.h"
#include "net/async/shared_reads.h"

#include <map>
#include <string>

namespace bridge::scheduling {

// Finds extended resources that only a DeviceClass provides through DRA
// (spec.extendedResourceName). A node without a device plugin for such a resource does not list it
// in its allocatable resources, and the bridge does not allocate through DRA.
//
// Guarantees  no request for a pod without extended resources; at most one list per minute in
//             total.
// Does not    require permission to list DeviceClasses; without it explanation() is always empty.
class DeviceClasses {
 public:
  DeviceClasses(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // For a pod that fits no node: names the first of its resources that a DeviceClass provides, and
  // the remedy. Empty if there is none.
  net::Task<std::string> explanation(const kube::Pod& pod);

 private:
  using ByResource = std::map<std::string, std::string>;  // resource -> name of the class

  net::Task<base::Result<ByResource>> list(std::string);

  net::Loop& loop_;
  kube::Client& kube_;
  net::SharedReads<std::string, ByResource> classes_;  // one entry with an empty key
};

}  // namespace bridge::scheduling
