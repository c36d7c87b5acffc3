// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/device_classes.h"

#include "bridge/runtime/role_context.h"
#include "kube/api/resource_slice.h"
#include "kube/client/api.h"
#include "workload/asked_resources.h"

#include <fmt/format.h>

#include <set>

namespace bridge::scheduling {
namespace {

using base::Result;
using namespace std::chrono_literals;

// Resources with a vendor's domain, unlike cpu, memory or hugepages-2Mi.
std::set<std::string> extended_resources(const kube::Pod& pod) {
  std::set<std::string> names;
  for (workload::AskedResource& asked : workload::asked_resources(pod)) {
    if (asked.resource.contains('/')) names.insert(std::move(asked.resource));
  }
  return names;
}

}  // namespace

DeviceClasses::DeviceClasses(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube)
    : loop_(loop),
      kube_(kube),
      classes_(loop,
               tasks,
               [this](std::string from) { return list(std::move(from)); },
               {.fresh = 60s, .after_failure = 60s, .most = 1}) {}

net::Task<Result<DeviceClasses::ByResource>> DeviceClasses::list(std::string) {
  const auto classes = kube::Api<kube::DeviceClass>(loop_, kube_).within(runtime::kCallTimeout);
  CO_TRY(const auto listed, co_await classes.list_readable());
  ByResource by_resource;
  for (const kube::DeviceClass& one : listed.objects) {
    if (!one.spec.extendedResourceName.empty())
      by_resource.emplace(one.spec.extendedResourceName, one.metadata.name);
  }
  co_return by_resource;
}

net::Task<std::string> DeviceClasses::explanation(const kube::Pod& pod) {
  const std::set<std::string> resources = extended_resources(pod);
  if (resources.empty()) co_return std::string();
  const auto classes = co_await classes_.get("");
  if (!classes.ok()) co_return std::string();
  for (const std::string& resource : resources) {
    const auto found = (*classes)->find(resource);
    if (found == (*classes)->end()) continue;
    co_return fmt::format(
        "{} is provided through DRA by DeviceClass {}, which the bridge does not support yet: ask "
        "for the resource of a device plugin instead",
        resource,
        found->second);
  }
  co_return std::string();
}

}  // namespace bridge::scheduling
