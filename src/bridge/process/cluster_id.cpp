// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/cluster_id.h"

#include "json/patch.h"
#include "kube/api/namespace.h"
#include "kube/client/api.h"

#include <fmt/format.h>

#include <optional>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;
// Complete objects, so that an update keeps the fields that other clients wrote.
using Leases = kube::Api<kube::DynamicObject>;

constexpr const char* kId = "slinky.slurm.net/cluster-id";
constexpr const char* kWrittenOn = "slinky.slurm.net/cluster-id-written-on";  // uid of the Lease
constexpr std::string_view kGrant =
    "grant this account get on namespaces, resourceNames [kube-system] (deploy/rbac.yaml)";

std::optional<std::string> said_by(const kube::DynamicObject& note) {
  const std::string& id = note.metadata.annotation(kId);
  const bool original = note.metadata.annotation(kWrittenOn) == note.metadata.uid.value();
  return original && !id.empty() ? std::optional(id) : std::nullopt;
}

json::Object empty_note(const kube::ObjectKey& key) {
  return {{"metadata", json::Object{{"name", key.name}, {"namespace", key.ns}}}};
}

// The merge patch that writes the id. It applies only to this object at this resourceVersion.
json::Value say(const kube::DynamicObject& note, const std::string& id) {
  const std::string& uid = note.metadata.uid.value();
  return json::Object{{"metadata",
                       json::Object{{"uid", uid},
                                    {"resourceVersion", note.metadata.resourceVersion},
                                    {"annotations", json::Object{{kId, id}, {kWrittenOn, uid}}}}}};
}

Leases leases_until(const kube::Access& kube, base::Instant deadline) {
  return Leases(kube, kube::kLeases).until(deadline);
}

net::Task<Result<kube::DynamicObject>> get_or_create(Leases leases, kube::ObjectKey note) {
  CO_TRY(std::optional<kube::DynamicObject> found, co_await leases.find(note));
  if (found) co_return *std::move(found);
  co_return co_await leases.create(empty_note(note));
}

}  // namespace

net::Task<Result<std::string>> cluster_id(kube::Access kube, base::Instant deadline) {
  const auto namespaces = kube::Api<kube::Namespace>(kube).until(deadline);
  CO_TRY(const kube::Namespace system, co_await namespaces.get({"", "kube-system"}));
  if (system.metadata.uid.value().empty())
    co_return Error(Kind::protocol, "the namespace kube-system has no metadata.uid");
  co_return system.metadata.uid.value();
}

net::Task<Result<void>> note_cluster_id(kube::Access kube,
                                        kube::ObjectKey note,
                                        std::string id,
                                        base::Instant deadline) {
  const Leases leases = leases_until(kube, deadline);
  CO_TRY(kube::DynamicObject lease, co_await get_or_create(leases, note));
  if (said_by(lease) == id) co_return Result<void>();
  const json::Value change = say(lease, id);
  auto written = co_await leases.patch(note, kube::PatchType::merge, change);
  if (!written.ok() && written.error().is(Kind::forbidden)) {
    // The reference's permissions grant update, not patch.
    json::apply_merge_patch(lease.content, change);
    written = co_await leases.replace(lease);
  }
  if (!written.ok()) co_return std::move(written).error();
  co_return Result<void>();
}

net::Task<Result<std::string>> noted_cluster_id(kube::Access kube,
                                                kube::ObjectKey note,
                                                base::Instant deadline) {
  const Leases leases = leases_until(kube, deadline);
  CO_TRY(const kube::DynamicObject lease, co_await leases.get(note));
  auto id = said_by(lease);
  if (!id) co_return Error(Kind::not_found, "the Lease says no cluster id of this cluster");
  co_return *std::move(id);
}

net::Task<Result<std::string>> find_cluster_id(kube::Access kube,
                                               kube::ObjectKey note,
                                               base::Instant deadline) {
  auto id = co_await cluster_id(kube, deadline);
  if (id.ok() || !id.error().is(Kind::forbidden)) co_return id;
  auto noted = co_await noted_cluster_id(kube, note, deadline);
  if (noted.ok()) co_return noted;
  const std::string lease = note.to_string();
  if (noted.error().is(Kind::forbidden))
    co_return Error(
        Kind::forbidden,
        fmt::format("the cluster's id in Slurm is the uid of the namespace kube-system, "
                    "and neither that nor the Lease {}, on which the scheduler notes "
                    "it, may be read: {}",
                    lease,
                    kGrant));
  if (noted.error().is(Kind::not_found))
    co_return Error(Kind::not_found,
                    fmt::format("the namespace kube-system may not be read, and the scheduler has "
                                "not yet noted the cluster's id on the Lease {}: start the "
                                "scheduler (again), or {}",
                                lease,
                                kGrant));
  co_return noted;
}

}  // namespace bridge::process
