// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/device_classes.h"

#include "bridge/runtime/role_context.h"
#include "json/node.h"
#include "kube/client/request.h"
#include "workload/asked_resources.h"

#include <fmt/format.h>

#include <set>

namespace bridge::scheduling {
namespace {

using base::Result;
using namespace std::chrono_literals;

const kube::Resource kDeviceClasses{"/apis/resource.k8s.io/v1", "deviceclasses"};
constexpr std::size_t kClassesPerPage = 500;

// Of a vendor's domain, unlike cpu, memory or hugepages-2Mi.
std::set<std::string> extended_resources(const kube::Pod& pod) {
  std::set<std::string> names;
  for (workload::AskedResource& asked : workload::asked_resources(pod)) {
    if (asked.resource.contains('/')) names.insert(std::move(asked.resource));
  }
  return names;
}

std::string_view text_at(const json::Node& object, std::string_view member, std::string_view key) {
  const auto inner = object.find(member);
  const auto text = inner ? inner->find(key) : std::nullopt;
  return text ? text->as_string().value_or("") : "";
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
  ByResource classes;
  std::string next;
  do {
    CO_TRY(const std::string page,
           co_await kube_.get(kube::list_path({kDeviceClasses, "", "", ""}, kClassesPerPage, next),
                              loop_.in(runtime::kCallTimeout)));
    json::Parser parser;
    CO_TRY(const json::Node root, parser.parse(page));
    if (const auto items = root.find("items")) {
      items->each_element([&](json::Node item) {
        const std::string_view resource = text_at(item, "spec", "extendedResourceName");
        if (!resource.empty()) classes.emplace(resource, text_at(item, "metadata", "name"));
        return true;
      });
    }
    next = text_at(root, "metadata", "continue");
  } while (!next.empty());
  co_return classes;
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
