// SPDX-License-Identifier: Apache-2.0
// The garbage collector of kube-controller-manager.
#include "models/kube/json.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace models::kube {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

bool has_finalizer(const json::Value& object, std::string_view finalizer) {
  const json::Array& all = array_at(object, {"metadata", "finalizers"});
  return std::ranges::find(all, json::Value(finalizer)) != all.end();
}

bool waits_for_dependents(const json::Value& object) {
  return is_deleting(object) && has_finalizer(object, kForeground);
}

net::http::Request merge_patch(std::string target, const json::Value& body) {
  net::http::Request request("PATCH", std::move(target), body.dump());
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  return request;
}

}  // namespace

struct KubeServer::Owned {
  std::string target;  // of requests
  std::string ns;
  RevisionPtr revision;

  const json::Value& value() const { return revision->value; }
  std::string_view uid() const { return text_at(value(), {"metadata", "uid"}); }
  const json::Array& owners() const { return array_at(value(), {"metadata", "ownerReferences"}); }
  bool is_owned_by(std::string_view owner) const {
    return std::ranges::any_of(
        owners(), [&](const json::Value& one) { return text_at(one, {"uid"}) == owner; });
  }
  bool blocks(std::string_view owner) const {
    return std::ranges::any_of(owners(), [&](const json::Value& one) {
      const json::Value* block = one.find("blockOwnerDeletion");
      return text_at(one, {"uid"}) == owner && block != nullptr && *block == json::Value(true);
    });
  }
};

std::vector<KubeServer::Owned> KubeServer::owned_objects() const {
  std::vector<Owned> all;
  for (const auto& [resource, storage] : served_) {
    if (resource.plural == "events") continue;
    for (const auto& [key, revision] : collections_[storage].objects()) {
      const std::string ns(text_at(revision->value, {"metadata", "namespace"}));
      const std::string_view name = text_at(revision->value, {"metadata", "name"});
      const std::string folder =
          ns.empty() ? resource.api_path() : resource.api_path() + "/namespaces/" + ns;
      all.push_back({fmt::format("{}/{}/{}", folder, resource.plural, name), ns, revision});
    }
  }
  return all;
}

void KubeServer::forget_owners(const Owned& object, const std::vector<std::string>& uids) {
  json::Array kept;
  for (const json::Value& owner : object.owners()) {
    if (std::ranges::find(uids, text_at(owner, {"uid"})) == uids.end()) kept.push_back(owner);
  }
  json::Value owners = kept.empty() ? json::Value() : json::Value(std::move(kept));
  json::Object metadata{{"uid", object.uid()}, {"ownerReferences", std::move(owners)}};
  (void)handle(merge_patch(object.target, json::Object{{"metadata", std::move(metadata)}}));
}

void KubeServer::remove_finalizer(const Owned& object, std::string_view finalizer) {
  json::Array kept = array_at(object.value(), {"metadata", "finalizers"});
  std::erase(kept, json::Value(finalizer));
  json::Object metadata{{"uid", object.uid()}, {"finalizers", std::move(kept)}};
  (void)handle(merge_patch(object.target, json::Object{{"metadata", std::move(metadata)}}));
}

bool KubeServer::end_orphaning(const Owned& object, const std::vector<Owned>& all) {
  for (const Owned& other : all) {
    if (other.is_owned_by(object.uid())) forget_owners(other, {std::string(object.uid())});
  }
  remove_finalizer(object, kOrphan);
  return true;
}

bool KubeServer::end_foreground(const Owned& object, const std::vector<Owned>& all) {
  const bool is_blocked =
      std::ranges::any_of(all, [&](const Owned& other) { return other.blocks(object.uid()); });
  if (is_blocked) return false;
  const bool has_untended = std::ranges::any_of(all, [&](const Owned& other) {
    return other.is_owned_by(object.uid()) && !is_deleting(other.value());
  });
  if (has_untended) return false;  // these are deleted first
  remove_finalizer(object, kForeground);
  return true;
}

bool KubeServer::delete_if_ownerless(const Owned& object, const std::vector<Owned>& all) {
  if (object.owners().empty() || is_deleting(object.value())) return false;
  bool has_owner = false;
  bool has_waiting = false;
  std::vector<std::string> not_owners;
  for (const json::Value& reference : object.owners()) {
    const std::string_view uid = text_at(reference, {"uid"});
    const auto owner = std::ranges::find_if(all, [&](const Owned& other) {
      return other.uid() == uid && (other.ns.empty() || other.ns == object.ns);
    });
    const bool waits = owner != all.end() && waits_for_dependents(owner->value());
    if (owner != all.end() && !waits) {
      has_owner = true;
    } else {
      has_waiting = has_waiting || waits;
      not_owners.emplace_back(uid);
    }
  }
  if (has_owner && not_owners.empty()) return false;
  if (has_owner) {
    forget_owners(object, not_owners);
    return true;
  }
  const bool has_dependents =
      std::ranges::any_of(all, [&](const Owned& other) { return other.is_owned_by(object.uid()); });
  const bool orphans = has_finalizer(object.value(), kOrphan);
  const std::string_view policy = has_waiting && has_dependents ? "Foreground"
                                  : orphans                     ? "Orphan"
                                                                : "Background";
  json::Object options{{"apiVersion", "v1"},
                       {"kind", "DeleteOptions"},
                       {"propagationPolicy", policy},
                       {"preconditions", json::Object{{"uid", object.uid()}}}};
  (void)handle({"DELETE", object.target, json::Value(std::move(options)).dump()});
  return true;
}

bool KubeServer::tend(const Owned& object, const std::vector<Owned>& all) {
  if (is_deleting(object.value()) && has_finalizer(object.value(), kOrphan))
    return end_orphaning(object, all);
  if (waits_for_dependents(object.value())) return end_foreground(object, all);
  return delete_if_ownerless(object, all);
}

bool KubeServer::collect_garbage() {
  const std::vector<Owned> all = owned_objects();
  return std::ranges::any_of(all, [&](const Owned& object) { return tend(object, all); });
}

}  // namespace models::kube
