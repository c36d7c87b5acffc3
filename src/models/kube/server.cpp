// SPDX-License-Identifier: Apache-2.0
#include "models/kube/server.h"

#include "models/kube/defaults.h"
#include "models/kube/json.h"

#include <algorithm>
#include <utility>

namespace models::kube {
namespace {

constexpr std::string_view kNewEvents = "events.k8s.io";

net::http::Request creation(std::string target, std::string body) {
  return {"POST", std::move(target), std::move(body)};
}

}  // namespace

KubeServer::KubeServer(const base::Clock& clock) : clock_(clock) {
  for (KubeResource& resource : builtin_resources()) add_collection(std::move(resource));
  for (const std::string_view name : {"kube-system", "default"}) {
    const json::Value body = json::Object{{"metadata", json::Object{{"name", name}}}};
    (void)handle(creation("/api/v1/namespaces", body.dump()));
  }
}

void KubeServer::add_collection(KubeResource resource) {
  std::size_t storage = collections_.size();
  if (resource.group == kNewEvents && resource.plural == "events") {
    storage = served_as("events", "")->storage;
  } else {
    collections_.emplace_back();
  }
  served_.push_back({std::move(resource), storage});
}

void KubeServer::keep_changes(std::size_t changes) {
  for (Collection& one : collections_) one.keep(changes);
}

void KubeServer::compact() {
  for (Collection& one : collections_) one.forget_before(version_);
}

const ServedResource* KubeServer::served_as(std::string_view plural, std::string_view group) const {
  const auto found = std::ranges::find_if(served_, [&](const ServedResource& one) {
    return one.resource.plural == plural && one.resource.group == group;
  });
  return found == served_.end() ? nullptr : &*found;
}

const Collection& KubeServer::collection(const KubeTarget& target) const {
  return collections_[target.served->storage];
}
Collection& KubeServer::collection(const KubeTarget& target) {
  return collections_[target.served->storage];
}

namespace {

const ServedResource* find_plural(const std::vector<ServedResource>& served,
                                  std::string_view plural) {
  const auto found = std::ranges::find_if(served, [&](const ServedResource& one) {
    return one.resource.plural == plural || one.resource.qualified_plural() == plural;
  });
  return found == served.end() ? nullptr : &*found;
}

}  // namespace

const json::Value* KubeServer::find(const ObjectRef& object) const {
  const ServedResource* served = find_plural(served_, object.plural);
  if (served == nullptr) return nullptr;
  const std::string key = object.ns.empty() ? object.name : object.ns + "/" + object.name;
  const auto& objects = collections_[served->storage].objects();
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : &found->second->value;
}

std::vector<const json::Value*> KubeServer::all(std::string_view plural) const {
  std::vector<const json::Value*> values;
  const ServedResource* served = find_plural(served_, plural);
  if (served == nullptr) return values;
  for (const auto& [key, revision] : collections_[served->storage].objects()) {
    values.push_back(&revision->value);
  }
  return values;
}

net::http::Response KubeServer::handle(const net::http::Request& request) {
  Call call{{}, request};
  if (Refused refused = parse_target(request.target, served_, call.target)) return answer(*refused);
  if (call.target.query.has("dryRun")) {
    if (call.target.query.get("dryRun") != "All") return answer(bad_request("invalid dryRun"));
    call.dry_run = true;
  }
  return dispatch(call);
}

net::http::Response KubeServer::dispatch(Call& call) {
  if (!call.target.subresource.empty()) return on_subresource(call);
  return call.target.name.empty() ? on_collection(call) : on_object(call);
}

net::http::Response KubeServer::on_collection(Call& call) {
  const std::string& method = call.request.method;
  if (method == "GET") return list(call.target);
  if (method == "POST") return create(call);
  if (method == "DELETE") return remove_matching(call);
  return answer(method_not_allowed());
}

net::http::Response KubeServer::on_object(Call& call) {
  const std::string& method = call.request.method;
  if (method == "GET") return get(call);
  if (method == "PUT") return update(call);
  if (method == "PATCH") return patch(call);
  if (method == "DELETE") return remove(call);
  return answer(method_not_allowed());
}

net::http::Response KubeServer::on_subresource(Call& call) {
  const std::string& method = call.request.method;
  const std::string& subresource = call.target.subresource;
  const bool is_pod = call.target.resource().plural == "pods";
  if (subresource == "status" && call.target.resource().has_status) {
    return method == "POST" || method == "DELETE" ? answer(method_not_allowed()) : on_object(call);
  }
  if (subresource == "binding" && is_pod) {
    return method == "POST" ? bind(call) : answer(method_not_allowed());
  }
  if (subresource == "eviction" && is_pod) {
    return method == "POST" ? evict(call) : answer(method_not_allowed());
  }
  if (subresource == "finalize" && call.target.resource().plural == "namespaces") {
    return method == "PUT" ? finalize_namespace(call) : answer(method_not_allowed());
  }
  return answer(no_such_path());
}

Refused KubeServer::read_body(Call& call) {
  const auto type = call.request.header("Content-Type");
  if (type && type->starts_with("application/vnd.kubernetes.protobuf")) {
    return unsupported_media_type();
  }
  auto root = parser_.parse(call.request.body);
  if (!root.ok()) return bad_request("couldn't read the body: " + root.error().message());
  call.body = root->to_value();
  if (call.target.resource().group == kNewEvents) call.body = to_core_event(call.body);
  return std::nullopt;
}

Refused KubeServer::read_optional_body(Call& call) {
  return call.request.body.empty() ? std::nullopt : read_body(call);
}

std::string KubeServer::shown(const KubeTarget& target, const RevisionPtr& revision) const {
  if (target.resource().group != kNewEvents) return revision->text;
  return to_new_event(revision->value).dump();
}

net::http::Response KubeServer::get(const Call& call) const {
  const RevisionPtr found = collection(call.target).find(call.target.key());
  if (found == nullptr) return answer(not_found(call.target.resource(), call.target.name));
  return answer(200, shown(call.target, found));
}

RevisionPtr KubeServer::commit(const KubeTarget& target, Commit commit) {
  ++version_;
  RevisionPtr after;
  if (commit.value) {
    auto revision = std::make_shared<Revision>();
    revision->version = version_;
    revision->value = *std::move(commit.value);
    object_in(*revision->value.as_object(), "metadata")
        .set("resourceVersion", std::to_string(version_));
    revision->text = revision->value.dump();
    after = std::move(revision);
  }
  const Change& change = collection(target).set(version_, target.key(), after);
  if (!on_write_.empty()) {
    const RevisionPtr before = change.before();  // the listener may write and so drop the change
    const ObjectWrite write{commit.verb,
                            commit.subresource,
                            {target.resource().plural, target.ns, target.name},
                            before == nullptr ? nullptr : &before->value,
                            after == nullptr ? nullptr : &after->value};
    for (const auto& call : on_write_) call(write);
  }
  return after;
}

}  // namespace models::kube
