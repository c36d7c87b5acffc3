// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/pod.h"
#include "kube/client/client.h"
#include "net/async/shared_reads.h"

#include <map>
#include <string>

namespace bridge::scheduling {

// Extended resources that a DeviceClass provides through DRA (spec.extendedResourceName). A node
// that has no device plugin for such a resource does not count it among its allocatable, and the
// bridge allocates nothing through DRA yet.
//
// Guarantees  a pod that asks for no extended resource costs no call; others at most one list a
//             minute.
// Does not    need to be allowed to list DeviceClasses: without that, nothing is known of them.
class DeviceClasses {
 public:
  DeviceClasses(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // For a pod that fits no node: says which of its resources only DRA provides, with the remedy.
  // Empty if there is none.
  net::Task<std::string> explanation(const kube::Pod& pod);

 private:
  using ByResource = std::map<std::string, std::string>;  // resource -> name of the class

  net::Task<base::Result<ByResource>> list(std::string);

  net::Loop& loop_;
  kube::Client& kube_;
  net::SharedReads<std::string, ByResource> classes_;  // by nothing: there is one list
};

}  // namespace bridge::scheduling
