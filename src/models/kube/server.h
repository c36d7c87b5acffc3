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

// Models of the two systems that the bridge stands between, for the simulation and the sandbox. No
// product code links them, and they use none of it above net/: a misunderstanding cannot hide by
// being shared.
namespace models::kube {

// Where an object lives: collection ("pods", "nodes", "leases", ...), namespace, name.
struct ObjectRef {
  std::string plural;
  std::string ns;  // empty for cluster-scoped objects
  std::string name;

  friend auto operator<=>(const ObjectRef&, const ObjectRef&) = default;
};

// One change of one object, as it is told to whoever audits.
struct ObjectWrite {
  std::string_view verb;         // "create", "patch", "update", "bind", "delete"
  std::string_view subresource;  // "status", "binding" or empty
  ObjectRef object;
  const json::Value* before = nullptr;  // nullptr: it was not there
  const json::Value* after = nullptr;   // nullptr: it is gone
};

// A watch of one client: a plain value that says where it stands.
struct WatchCursor {
  std::string plural;
  std::string ns;
  std::string label_selector;
  std::string field_selector;
  std::uint64_t seen = 0;  // every change up to this version has been told
  std::string group = {};  // the API group of the collection, "" for core
  // While the objects of version `seen` are still being told as ADDED: from which key on.
  std::optional<std::string> telling_from = {};
  bool bookmark_after_telling = false;
};

// A kube-apiserver with its etcd, as far as anybody can tell from outside.
//
// Expects     one thread; a clock that outlives it.
// Guarantees  each request has its whole effect within handle(), or none; versions grow by one with
//             each change of any object; the same requests give the same answers (uids are counted,
//             not random). What it refuses it refuses with a Status object, code and reason as the
//             real one's: 400, 404, 405, 409 AlreadyExists and Conflict, 410 Expired, 415, 422.
// Does not    authenticate, wait, lose anything or inject faults: those are the network's, in
//             tests/sim.
class KubeServer {
 public:
  explicit KubeServer(const base::Clock& clock);

  // Any request but a watch: get, list (pages, selectors), create, patch (merge, JSON, strategic),
  // update, binding, delete (graceful for pods on a node, finalizers, preconditions).
  net::http::Response handle(const net::http::Request& request);

  static bool is_watch(const net::http::Request& request);
  // A cursor, or why there can be no such watch. One from a version that was compacted begins, as
  // the real one's, with 200 and an ERROR line; one from a version still to come waits for it.
  std::variant<net::http::Response, WatchCursor> open_watch(
      const net::http::Request& request) const;
  // Appends what happened since, one JSON line per event, at most `limit` of them; an ERROR line
  // with code 410 if that was compacted. Returns how many lines it appended.
  std::size_t read_watch(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;
  // A BOOKMARK line for where the cursor stands.
  std::string bookmark(const WatchCursor& cursor) const;

  // A further collection. A plural that is there already in another group needs its group in
  // ObjectRef: "podgroups.scheduling.x-k8s.io".
  void add_collection(KubeResource resource);
  const std::vector<ServedResource>& served() const { return served_; }

  // What the namespace controller does: deletes what is in namespaces that are being deleted, and
  // takes those away that are empty. Returns whether there was anything to do.
  bool tidy_namespaces();

  // The next thing that the garbage collector does: deletes an object whose owners are all gone,
  // takes references to gone owners away, or ends a deletion that waits for dependents (foreground)
  // or for dependents to be released (orphan). Returns whether there was anything to do.
  bool collect_garbage();

  // Records of every object who owns which fields (managedFields), as the real server does. Without
  // it only objects that somebody has applied have such records: a simulation has many others.
  void track_all_fields() { tracks_all_fields_ = true; }

  // How many changes of each collection are remembered for watches and pages (8192).
  void keep_changes(std::size_t changes);
  // Forgets the history: watches and continue tokens from before now get 410.
  void compact();

  // The object as it is now; nullptr if there is none.
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

  // What a request wants done, once its target is understood.
  struct Call {
    KubeTarget target;
    const net::http::Request& request;
    json::Value body = {};
    bool dry_run = false;
    std::optional<FieldManagers> managers = {};  // of an apply: as they are to be written
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
  // Records the owners of what a write changed. `object` is what `old` becomes.
  void note_write(Call& call, const json::Value& old, json::Value& object) const;
  Response bind(Call& call);
  Response evict(Call& call);
  Response remove(Call& call);
  Response remove_matching(Call& call);
  Response finalize_namespace(Call& call);

  // What the garbage collector sees of an object.
  struct Owned;
  std::vector<Owned> owned_objects() const;
  bool tend(const Owned& object, const std::vector<Owned>& all);
  bool end_foreground(const Owned& object, const std::vector<Owned>& all);
  bool end_orphaning(const Owned& object, const std::vector<Owned>& all);
  bool delete_if_ownerless(const Owned& object, const std::vector<Owned>& all);
  void forget_owners(const Owned& object, const std::vector<std::string>& uids);
  void remove_finalizer(const Owned& object, std::string_view finalizer);

  // Whether something was in it, and deletes that.
  bool empty_namespace(const std::string& name);

  Refused create_object(Call& call, RevisionPtr& made);
  Refused check_namespace(const KubeTarget& target) const;
  Refused begin_object(const KubeTarget& target, json::Value& object);
  // Stores what an object has become, or removes it if nothing holds it any longer.
  Response write(Call& call, const RevisionPtr& old, json::Value object, Verb verb);
  Refused check_write(const KubeTarget& target,
                      const json::Value& old,
                      json::Value& object,
                      Verb verb) const;
  // How a delete went: what the answer shows, and whether the object is gone.
  struct Removal {
    RevisionPtr shown;
    bool gone = false;
  };
  Refused remove_object(Call& call, const RevisionPtr& old, Removal& removal);
  RevisionPtr mark_deleted(Call& call, const RevisionPtr& old);

  // One change of one object. An empty value removes it; the revision is then what was there last.
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
  // An object as this API group shows it.
  std::string shown(const KubeTarget& target, const RevisionPtr& revision) const;

  std::size_t tell_objects(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;
  std::size_t tell_changes(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;

  const base::Clock& clock_;
  std::uint64_t version_ = 0;
  std::uint64_t born_ = 0;  // objects ever made
  bool tracks_all_fields_ = false;
  std::vector<ServedResource> served_;
  std::vector<Collection> collections_;
  json::Parser parser_;
  mutable std::unordered_map<std::string, Selector> selectors_;
  std::vector<std::function<void(const ObjectWrite&)>> on_write_;
};

}  // namespace models::kube
