// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "json/value.h"
#include "net/http.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Models of the two systems that the bridge stands between, for the simulation and the sandbox. No
// product code links them, and they use none of it above net/: a misunderstanding cannot hide by
// being shared.
namespace models {

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
  // A cursor, or why there can be no such watch (410 if its version was compacted).
  std::variant<net::http::Response, WatchCursor> open_watch(const net::http::Request& request) const;
  // Appends what happened since, one JSON line per event, at most `limit` of them; an ERROR line
  // with code 410 if that was compacted. Returns how many lines it appended.
  std::size_t read_watch(WatchCursor& cursor, std::string& append_to, std::size_t limit) const;
  // A BOOKMARK line for where the cursor stands.
  std::string bookmark(const WatchCursor& cursor) const;

  // Forgets the history: watches and continue tokens from before now get 410.
  void compact();

  // The object as it is now; nullptr if there is none.
  const json::Value* find(const ObjectRef& object) const;
  // All objects of a collection, by namespace and name.
  std::vector<const json::Value*> all(std::string_view plural) const;
  std::uint64_t version() const { return version_; }

  // Called after each change, in the order of their versions.
  void on_write(std::function<void(const ObjectWrite&)> call) { on_write_.push_back(std::move(call)); }

 private:
  std::uint64_t version_ = 0;
  std::vector<std::function<void(const ObjectWrite&)>> on_write_;
  // (the implementer adds what is needed)
};

}  // namespace models
