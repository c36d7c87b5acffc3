// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/cache/reflector.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bridge::process {

// Reports collections of the API server that cannot be listed or watched. Two selections of one
// collection, as our pods and other schedulers' pods, fail together and are reported as one.
//
// Expects     that the reflectors outlive it.
// Guarantees  one warning in the log and one announcement per verb and resource when a failure
//             lasts, one line and one announcement when the last of its reflectors works again.
class ListWatchReports {
 public:
  using Announce = std::function<void(const kube::ListWatchReport&)>;

  ListWatchReports(base::Log log, Announce announce);
  ListWatchReports(const ListWatchReports&) = delete;
  ListWatchReports& operator=(const ListWatchReports&) = delete;

  void follow(kube::Reflector& reflector);
  // A sentence while a collection cannot be relied on, else empty (ListWatchHealth::problem).
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
