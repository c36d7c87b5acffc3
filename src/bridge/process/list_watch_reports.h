// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/cache/reflector.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bridge::process {

// Reports resources of the API server that cannot be listed or watched. Two selections of one
// resource, such as our pods and foreign pods, fail together and are reported as one.
//
// Expects     that the reflectors outlive it.
// Guarantees  one warning in the log and one announcement per verb, resource and message when a
//             failure lasts; one log line and one announcement when all of its reflectors work
//             again.
class ListWatchReports {
 public:
  using Announce = std::function<void(const kube::ListWatchReport&)>;

  ListWatchReports(base::Log log, Announce announce);
  ListWatchReports(const ListWatchReports&) = delete;
  ListWatchReports& operator=(const ListWatchReports&) = delete;

  void follow(kube::Reflector& reflector);
  // Why a cache cannot be relied on; empty if all can (ListWatchHealth::problem).
  std::string problem() const;

 private:
  void take(const kube::ListWatchReport& report);
  bool any_fails(const kube::ListWatchReport& report) const;

  base::Log log_;
  Announce announce_;
  std::vector<const kube::Reflector*> reflectors_;
  std::map<std::string, std::string> reported_;  // "list pods" -> the message
};

}  // namespace bridge::process
