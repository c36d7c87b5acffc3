// SPDX-License-Identifier: Apache-2.0
#include "bridge/scheduling/owners.h"

#include "bridge/runtime/role_context.h"
#include "kube/client/api.h"
#include "kube/client/discovery.h"

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

// Kinds that need no discovery.
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
  CO_TRY(kube::Resource where, co_await served(owner.apiVersion, owner.kind));
  const bool namespaced = where.scope == kube::Scope::namespaced;
  const kube::ObjectKey key{namespaced ? owner.key.ns : "", owner.key.name};
  const auto owners =
      kube::Api<Owner>(loop_, kube_, std::move(where)).within(runtime::kCallTimeout);
  CO_TRY(Owner found, co_await owners.get(key));
  if (found.metadata.uid != owner.uid)
    co_return Error(Kind::not_found, "it is gone; another object has its name");
  co_return found;
}

net::Task<Result<kube::Resource>> OwnerReader::served(std::string apiVersion, std::string kind) {
  for (const Known& known : kKnown) {
    if (known.apiVersion == apiVersion && known.kind == kind)
      co_return kube::resource_named(apiVersion, kind, std::string(known.plural));
  }
  const auto kinds = co_await kinds_.get(apiVersion);
  if (!kinds.ok()) co_return kinds.error();
  const auto found = std::ranges::find(**kinds, kind, &kube::Resource::kind);
  if (found == (*kinds)->end()) co_return not_served(apiVersion, kind);
  co_return *found;
}

net::Task<Result<std::vector<kube::Resource>>> OwnerReader::discover(std::string apiVersion) {
  // Owner references of pods may contain any text; text that is no apiVersion is not served.
  if (!kube::is_api_version(apiVersion)) co_return std::vector<kube::Resource>();
  auto kinds =
      co_await kube::discover_all(kube_, std::move(apiVersion), loop_.in(runtime::kCallTimeout));
  if (!kinds.ok() && kinds.error().is(Kind::not_found)) co_return std::vector<kube::Resource>();
  co_return kinds;
}

}  // namespace bridge::scheduling
