// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/node.h"
#include "json/value.h"
#include "models/kube/managers.h"
#include "models/kube/meta.h"
#include "models/kube/refusal.h"
#include "models/kube/resource.h"
#include "models/kube/selector.h"
#include "models/kube/store.h"
#include "models/kube/target.h"
#include "net/http_wire/http.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

// Models of Kubernetes and Slurm for the simulation and the sandbox. No product code links them,
// and they use no product code above net/: a misunderstanding in shared code would not be detected.
namespace models::kube {

// The location of an object: collection ("pods", "nodes", "leases", ...), namespace, name.
struct ObjectRef {
  std::string plural;
  std::string ns;  // empty for cluster-scoped objects
  std::string name;

  friend auto operator<=>(const ObjectRef&, const ObjectRef&) = default;
};

// One change of one object, as reported to listeners.
struct ObjectWrite {
  std::string_view verb;         // "create", "patch", "update", "bind", "delete"
  std::string_view subresource;  // "status", "binding" or empty
  ObjectRef object;
  const json::Value* before = nullptr;  // nullptr: the object did not exist
  const json::Value* after = nullptr;   // nullptr: the object no longer exists
};

// A watch of one client: a plain value that holds its position.
struct WatchCursor {
  std::string plural;
  std::string ns;
  std::string label_selector;
  std::string field_selector;
  std::uint64_t seen = 0;  // every change up to this version has been sent
  std::string group = {};  // the API group of the collection, "" for core
  // While the objects of version `seen` are being sent as ADDED: the next key.
  std::optional<std::string> listing_from = {};
  bool bookmark_after_listing = false;
};

// Model of a kube-apiserver with its etcd, as seen by clients.
//
// Expects     one thread; a clock that outlives it.
// Guarantees  each request takes full effect within handle(), or none; versions increase by one
//             with each change of any object; equal requests give equal answers (uids are counted,
//             not random). A rejected request is answered with a Status object, with code and
//             reason of the real server: 400, 404, 405, 409 AlreadyExists and Conflict, 410
//             Expired, 415, 422.
// Does not    authenticate, wait, lose anything or inject faults: the network in tests/sim does.
class KubeServer {
 public:
  explicit KubeServer(const base::Clock& clock);

  // Any request except a watch: get, list (pages, selectors), create, patch (merge, JSON,
  // strategic), update, binding, delete (graceful for pods on a node, finalizers, preconditions).
  net::http::Response handle(const net::http::Request& request);

  static bool is_watch(const net::http::Request& request);
  // A cursor, or why the watch is rejected. As in the real server, a watch from a compacted version
  // begins with 200 and an ERROR line; a watch from a future version waits for it.
  std::variant<net::http::Response, WatchCursor> open_watch(
      const net::http::Request& request) const;
  // Appends the events since then, one JSON line per event, at most `limit`; an ERROR line with
  // code 410 if they were compacted. Returns the number of appended lines.
  std::size_t read_watch(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;
  // A BOOKMARK line for the position of the cursor.
  std::string bookmark(const WatchCursor& cursor) const;

  // Adds a collection. A plural that already exists in another group needs its group in ObjectRef:
  // "podgroups.scheduling.x-k8s.io".
  void add_collection(KubeResource resource);
  const std::vector<ServedResource>& served() const { return served_; }

  // The namespace controller: deletes the content of namespaces that are being deleted, and removes
  // them when empty. Returns whether there was anything to do.
  bool tidy_namespaces();

  // The next action of the garbage collector: deletes an object whose owners no longer exist,
  // removes references to such owners, or completes a deletion that waits for dependents
  // (foreground) or for their release (orphan). Returns whether there was anything to do.
  bool collect_garbage();

  // Records the owners of fields (managedFields) for every object, as the real server does. Without
  // it only applied objects have these records: a simulation has many other objects.
  void track_all_fields() { tracks_all_fields_ = true; }

  // The number of changes per collection that are kept for watches and pages (8192).
  void keep_changes(std::size_t changes);
  // Drops the history: older watches and continue tokens get 410.
  void compact();

  // The current object; nullptr if it does not exist.
  const json::Value* find(const ObjectRef& object) const;
  // All objects of a collection, by namespace and name.
  std::vector<const json::Value*> all(std::string_view plural) const;
  std::uint64_t version() const { return version_; }

  // Called after each change, in the order of their versions.
  void on_write(std::function<void(const ObjectWrite&)> call) {
    on_write_.push_back(std::move(call));
  }

 private:
  using Response = net::http::Response;

  // The operation of a request, after its target is resolved.
  struct Call {
    KubeTarget target;
    const net::http::Request& request;
    json::Value body = {};
    bool dry_run = false;
    std::optional<FieldManagers> managers = {};  // of an apply: as they are written
  };

  Response dispatch(Call& call);
  Response on_collection(Call& call);
  Response on_object(Call& call);
  Response on_subresource(Call& call);
  Refused read_body(Call& call);
  Refused read_optional_body(Call& call);

  Response get(const Call& call) const;
  Response list(const KubeTarget& target) const;
  Response create(Call& call);
  Response update(Call& call);
  Response patch(Call& call);
  Response apply(Call& call);
  Refused check_apply(const Call& call) const;
  Response apply_new(Call& call, const FieldManager& manager);
  // Records the owners of a new object's fields; `given` is what the client sent.
  void note_creation(Call& call, const json::Value& given) const;
  // Records the owners of the changed fields. `object` replaces `old`.
  void note_write(Call& call, const json::Value& old, json::Value& object) const;
  Response bind(Call& call);
  Response evict(Call& call);
  Response remove(Call& call);
  Response remove_matching(Call& call);
  Response finalize_namespace(Call& call);

  // The members of an object that the garbage collector uses.
  struct Owned;
  std::vector<Owned> owned_objects() const;
  bool tend(const Owned& object, const std::vector<Owned>& all);
  bool end_foreground(const Owned& object, const std::vector<Owned>& all);
  bool end_orphaning(const Owned& object, const std::vector<Owned>& all);
  bool delete_if_ownerless(const Owned& object, const std::vector<Owned>& all);
  void forget_owners(const Owned& object, const std::vector<std::string>& uids);
  void remove_finalizer(const Owned& object, std::string_view finalizer);

  // Deletes the content. Returns whether there was any.
  bool empty_namespace(const std::string& name);

  Refused create_object(Call& call, RevisionPtr& made);
  Refused check_namespace(const KubeTarget& target) const;
  Refused begin_object(const KubeTarget& target, json::Value& object);
  // Stores the new version of an object, or removes the object if nothing keeps it.
  Response write(Call& call, const RevisionPtr& old, json::Value object, Verb verb);
  Refused check_write(const KubeTarget& target,
                      const json::Value& old,
                      json::Value& object,
                      Verb verb) const;
  // The outcome of a delete: the object for the answer, and whether it was removed.
  struct Removal {
    RevisionPtr shown;
    bool gone = false;
  };
  Refused remove_object(Call& call, const RevisionPtr& old, Removal& removal);
  RevisionPtr mark_deleted(Call& call, const RevisionPtr& old);

  // One change of one object. An empty value removes it; the revision is then the last stored one.
  struct Commit {
    std::string_view verb;
    std::string_view subresource;
    std::optional<json::Value> value;
  };
  RevisionPtr commit(const KubeTarget& target, Commit commit);

  const ServedResource* served_as(std::string_view plural, std::string_view group) const;
  const Collection& collection(const KubeTarget& target) const;
  Collection& collection(const KubeTarget& target);
  const Selector& selector(const WatchCursor& cursor, const KubeResource& resource) const;
  // An object in the form of this API group.
  std::string shown(const KubeTarget& target, const RevisionPtr& revision) const;

  std::size_t append_objects(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;
  std::size_t append_changes(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;

  const base::Clock& clock_;
  std::uint64_t version_ = 0;
  std::uint64_t born_ = 0;  // objects ever created
  bool tracks_all_fields_ = false;
  std::vector<ServedResource> served_;
  std::vector<Collection> collections_;
  json::Parser parser_;
  mutable std::unordered_map<std::string, Selector> selectors_;
  std::vector<std::function<void(const ObjectWrite&)>> on_write_;
};

}  // namespace models::kube
