// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace models::kube {

// One version of an object; immutable.
struct Revision {
  std::uint64_t version = 0;
  json::Value value;
  std::string text;  // the same as JSON, written once for every list and watch
};
using RevisionPtr = std::shared_ptr<const Revision>;

// One change of one object.
class Change {
 public:
  Change(std::uint64_t version, std::string key, RevisionPtr before, RevisionPtr after)
      : version_(version),
        key_(std::move(key)),
        before_(std::move(before)),
        after_(std::move(after)) {}

  std::uint64_t version() const { return version_; }
  const std::string& key() const { return key_; }
  const RevisionPtr& before() const { return before_; }  // nullptr: the object did not exist
  const RevisionPtr& after() const { return after_; }    // nullptr: the object no longer exists
  // The former object with the version of this change: the content of a DELETED event.
  const json::Value& last_value() const;
  const std::string& last_text() const;

 private:
  std::uint64_t version_;
  std::string key_;
  RevisionPtr before_;
  RevisionPtr after_;
  mutable std::shared_ptr<const Revision> last_;  // created on demand
};

// The objects of one kind and their recent changes.
//
// Guarantees  objects are ordered by key; every change after floor() is in the history, ordered by
//             version; the state of any version from floor() on can be read.
class Collection {
 public:
  using Objects = std::map<std::string, RevisionPtr, std::less<>>;
  // Return false to stop.
  using Visit = std::function<bool(const std::string& key, const RevisionPtr& revision)>;

  const Objects& objects() const { return objects_; }
  const std::deque<Change>& history() const { return history_; }
  RevisionPtr find(std::string_view key) const;

  // nullptr removes the object.
  const Change& set(std::uint64_t version, const std::string& key, RevisionPtr after);

  // The oldest version whose state is still known.
  std::uint64_t floor() const { return floor_; }
  void forget_before(std::uint64_t version);
  void keep(std::size_t changes);

  // The first change after a version.
  std::deque<Change>::const_iterator after(std::uint64_t version) const;
  // The objects of a version, starting at a key; the version must not be older than floor().
  void each_at(std::uint64_t version, std::string_view from, const Visit& visit) const;

 private:
  void trim();

  Objects objects_;
  std::deque<Change> history_;
  std::uint64_t floor_ = 0;
  std::size_t most_ = 8192;
};

}  // namespace models::kube
