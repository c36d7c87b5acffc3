// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/owners.h"

#include "bridge/runtime/role_context.h"
#include "json/node.h"
#include "kube/client/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bridge::scheduling {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using workload::Owner;
using workload::Ownership;
using namespace std::chrono_literals;

// What needs no discovery.
struct Known {
  std::string_view apiVersion;
  std::string_view kind;
  std::string_view plural;
};
constexpr std::array kKnown = {
    Known{"batch/v1", "Job", "jobs"},
    Known{"apps/v1", "ReplicaSet", "replicasets"},
    Known{"apps/v1", "StatefulSet", "statefulsets"},
    Known{"apps/v1", "Deployment", "deployments"},
    Known{"jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets"},
};

// "/apis/batch/v1", "/api/v1"; empty for what cannot be an API: pods name what they like.
std::string api_path(std::string_view api_version) {
  const bool plain = std::ranges::all_of(api_version, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/';
  });
  if (!plain || api_version.empty() || api_version.starts_with('.') || api_version.contains("/.") ||
      std::ranges::count(api_version, '/') > 1) {
    return {};
  }
  return fmt::format("{}/{}", api_version.contains('/') ? "/apis" : "/api", api_version);
}

Error not_served(std::string_view api_version, std::string_view kind) {
  return Error(Kind::invalid, fmt::format("the API server serves no {} of {}", kind, api_version));
}

}  // namespace

OwnerReader::OwnerReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube)
    : loop_(loop),
      kube_(kube),
      owners_(loop, tasks, [this](Named owner) { return read(std::move(owner)); }),
      kinds_(loop,
             tasks,
             [this](std::string api) { return discover(std::move(api)); },
             {.fresh = 10min, .after_failure = 1s, .most = 256}) {}

OwnerReader::Named OwnerReader::named(const std::string& ns, const kube::OwnerReference& owner) {
  return {{ns, owner.name}, owner.apiVersion, owner.kind, owner.uid};
}

net::Task<Result<Ownership>> OwnerReader::of(const kube::Pod& pod) {
  return walk(workload::OwnerWalk(pod), pod.metadata.namespace_);
}

net::Task<Result<Ownership>> OwnerReader::walk(workload::OwnerWalk walk, std::string ns) {
  if (!walk.next()) co_return walk.result();
  while (walk.next()) {
    const auto owner = co_await owners_.get(named(ns, *walk.next()));
    if (owner.ok()) {
      walk.read(**owner);
    } else {
      CO_TRY_VOID(walk.failed(owner.error()));
    }
  }
  co_return walk.result();
}

net::Task<Result<Owner>> OwnerReader::read(Named owner) {
  CO_TRY(const Served where, co_await served(owner.apiVersion, owner.kind));
  const kube::ObjectKey key{where.namespaced ? owner.key.ns : "", owner.key.name};
  CO_TRY(const std::string answer,
         co_await kube_.get(kube::object_path({where.api, where.plural}, key),
                            loop_.in(runtime::kCallTimeout)));
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(answer));
  CO_TRY(Owner found, workload::decode_owner(object));
  if (found.metadata.uid != owner.uid)
    co_return Error(Kind::not_found, "it is gone; another object has its name");
  co_return found;
}

net::Task<Result<OwnerReader::Served>> OwnerReader::served(std::string apiVersion,
                                                           std::string kind) {
  for (const Known& known : kKnown) {
    if (known.apiVersion == apiVersion && known.kind == kind)
      co_return Served{api_path(apiVersion), kind, std::string(known.plural), true};
  }
  const auto kinds = co_await kinds_.get(apiVersion);
  if (!kinds.ok()) co_return kinds.error();
  const auto found = std::ranges::find(**kinds, kind, &Served::kind);
  if (found == (*kinds)->end()) co_return not_served(apiVersion, kind);
  co_return *found;
}

net::Task<Result<std::vector<OwnerReader::Served>>> OwnerReader::discover(std::string apiVersion) {
  const std::string api = api_path(apiVersion);
  std::vector<Served> kinds;
  if (api.empty()) co_return kinds;
  const auto answer = co_await kube_.get(api, loop_.in(runtime::kCallTimeout));
  if (!answer.ok()) {
    if (answer.error().is(Kind::not_found)) co_return kinds;
    co_return answer.error();
  }
  json::Parser parser;
  CO_TRY(const json::Node list, parser.parse(*answer));
  const auto resources = list.find("resources");
  if (!resources) co_return kinds;
  resources->each_element([&](json::Node resource) {
    const auto text = [&](std::string_view member) {
      const auto value = resource.find(member);
      return std::string(value ? value->as_string().value_or("") : "");
    };
    Served served{api, text("kind"), text("name"), true};
    if (const auto scope = resource.find("namespaced"))
      served.namespaced = scope->as_bool().value_or(true);
    // "jobs/status" is a part of another collection.
    if (!served.plural.empty() && !served.plural.contains('/')) kinds.push_back(std::move(served));
    return true;
  });
  co_return kinds;
}

}  // namespace bridge::scheduling
