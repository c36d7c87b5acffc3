// SPDX-License-Identifier: Apache-2.0
#include "bridge/process/cluster_id.h"

#include "json/patch.h"
#include "kube/api/lease.h"
#include "kube/cache/store.h"
#include "kube/client/request.h"

#include <fmt/format.h>

#include <optional>

namespace bridge::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr const char* kId = "slinky.slurm.net/cluster-id";
constexpr const char* kWrittenOn = "slinky.slurm.net/cluster-id-written-on";  // uid of that Lease
constexpr std::string_view kGrant =
    "grant this account get on namespaces, resourceNames [kube-system] (deploy/rbac.yaml)";

Result<kube::Lease> lease_of(const std::string& text) {
  json::Parser parser;
  TRY(const json::Node object, parser.parse(text));
  return kube::decode_object<kube::Lease>(object);
}

std::optional<std::string> said_by(const kube::Lease& note) {
  const std::string& id = note.metadata.annotation(kId);
  const bool original = note.metadata.annotation(kWrittenOn) == note.metadata.uid.value();
  return original && !id.empty() ? std::optional(id) : std::nullopt;
}

json::Object empty_note(const kube::ObjectKey& key) {
  return {{"apiVersion", "coordination.k8s.io/v1"},
          {"kind", "Lease"},
          {"metadata", json::Object{{"name", key.name}, {"namespace", key.ns}}}};
}

// Meant for this very object in this very version.
json::Value say(const kube::Lease& note, const std::string& id) {
  const std::string& uid = note.metadata.uid.value();
  return json::Object{{"metadata",
                       json::Object{{"uid", uid},
                                    {"resourceVersion", note.metadata.resourceVersion},
                                    {"annotations", json::Object{{kId, id}, {kWrittenOn, uid}}}}}};
}

net::Task<Result<std::string>> get_or_create(kube::Client& kube,
                                             kube::ObjectKey note,
                                             base::Instant deadline) {
  auto text = co_await kube.get(kube::object_path(kube::kLeases, note), deadline);
  if (text.ok() || !text.error().is(Kind::not_found)) co_return text;
  co_return co_await kube.post(
      kube::collection_path(kube::kLeases, note.ns), empty_note(note), deadline);
}

}  // namespace

net::Task<Result<std::string>> cluster_id(kube::Client& kube, base::Instant deadline) {
  CO_TRY(const std::string text,
         co_await kube.get(kube::object_path(kube::kNamespaces, {"", "kube-system"}), deadline));
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(text));
  const kube::Uid uid = kube::uid_of(object);
  if (uid.value().empty()) co_return Error(Kind::protocol, "an object without metadata.uid");
  co_return uid.value();
}

net::Task<Result<void>> note_cluster_id(kube::Client& kube,
                                        kube::ObjectKey note,
                                        std::string id,
                                        base::Instant deadline) {
  CO_TRY(const std::string text, co_await get_or_create(kube, note, deadline));
  CO_TRY(const kube::Lease lease, lease_of(text));
  if (said_by(lease) == id) co_return Result<void>();
  const std::string target = kube::object_path(kube::kLeases, note);
  const json::Value change = say(lease, id);
  auto written = co_await kube.patch(target, kube::PatchType::merge, change, deadline);
  if (!written.ok() && written.error().is(Kind::forbidden)) {
    // Roles made for Go clients grant update only.
    CO_TRY(json::Value whole, json::parse(text));
    json::apply_merge_patch(whole, change);
    written = co_await kube.put(target, std::move(whole), deadline);
  }
  if (!written.ok()) co_return std::move(written).error();
  co_return Result<void>();
}

net::Task<Result<std::string>> noted_cluster_id(kube::Client& kube,
                                                kube::ObjectKey note,
                                                base::Instant deadline) {
  CO_TRY(const std::string text,
         co_await kube.get(kube::object_path(kube::kLeases, note), deadline));
  CO_TRY(const kube::Lease lease, lease_of(text));
  auto id = said_by(lease);
  if (!id) co_return Error(Kind::not_found, "the Lease says no cluster id of this cluster");
  co_return *std::move(id);
}

net::Task<Result<std::string>> find_cluster_id(kube::Client& kube,
                                               kube::ObjectKey note,
                                               base::Instant deadline) {
  auto id = co_await cluster_id(kube, deadline);
  if (id.ok()) co_return id;
  if (!id.error().is(Kind::forbidden))
    co_return std::move(id).error().in("read the namespace kube-system");
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
  co_return std::move(noted).error().in(fmt::format("read the Lease {}", lease));
}

}  // namespace bridge::process
