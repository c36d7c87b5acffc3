// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/live_holder.h"

#include "bridge/process/timing.h"
#include "kube/api/lease.h"
#include "kube/client/api.h"

#include <fmt/format.h>

#include <algorithm>

namespace bridge::process {
namespace {

using base::Kind;
using base::Result;
using namespace std::chrono_literals;

}  // namespace

net::Task<Result<LeaseSigns>> lease_signs(net::Loop& loop,
                                          kube::Client& kube,
                                          std::vector<kube::ObjectKey> leases,
                                          base::Duration call_timeout) {
  LeaseSigns signs;
  const auto api = kube::Api<kube::Lease>(loop, kube).within(call_timeout);
  for (const kube::ObjectKey& key : leases) {
    std::optional<kube::LeaseSpec> first;
    base::Instant until = base::Instant::max();
    for (;;) {
      const auto read = co_await api.get(key);
      const bool hidden =
          !read.ok() && (read.error().is(Kind::not_found) || read.error().is(Kind::forbidden));
      if (!read.ok() && !hidden) co_return read.error();
      if (hidden) {
        signs.missing.push_back(key);
        break;
      }
      const kube::Lease& lease = *read;
      if (lease.spec.holderIdentity.empty()) break;
      if (!first) {
        first = lease.spec;
        const std::chrono::seconds promised(lease.spec.leaseDurationSeconds);
        until = loop.in(std::clamp<base::Duration>(promised, kReadLeaseEvery, kLongestLease));
      }
      if (lease.spec != *first) {
        signs.holder = lease.spec.holderIdentity;
        co_return signs;
      }
      if (loop.now() >= until) break;
      CO_TRY_VOID(co_await loop.sleep_for(kReadLeaseEvery));
    }
  }
  co_return signs;
}

std::string why_they_may_run(const std::optional<LeaseSigns>& signs, OperatorSays operator_says) {
  if (signs && !signs->holder.empty())
    return fmt::format("the controllers still run ({}): stop them first", signs->holder);
  if (operator_says == OperatorSays::stopped) return "";
  if (!signs) {
    return "leader election is off, and so nobody can tell whether controllers still run: stop "
           "them, then add --controllers-are-stopped";
  }
  if (signs->missing.empty()) return "";
  return fmt::format(
      "there is no Lease {}/{} that we may read, and so nobody can tell whether controllers still "
      "run: name their "
      "namespace by --leader-election-namespace, or stop them, then add --controllers-are-stopped",
      signs->missing.front().ns,
      signs->missing.front().name);
}

}  // namespace bridge::process
