// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/testing_describe.h"
#include "operator/settle/testing_resources.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace slurmop::settle {
namespace {

// Few names, so that conflicts occur.
rc::Gen<std::string> set_name() {
  return rc::gen::element<std::string>("a", "a-1", "b", "gpu", "controller", "worker", "Invalid");
}

rc::Gen<json::Value> node_set() {
  return rc::gen::apply(
      [](const std::string& name, int replicas, const std::string& drain) {
        const json::Object spec{{"replicas", replicas}, {"drainTimeout", drain}};
        return resource(name, json::Value(spec).dump());
      },
      set_name(),
      rc::gen::inRange(-1, 4),
      rc::gen::element<std::string>("", "5m", "x"));
}

struct SomeUser {
  std::string name;
  std::optional<int> uid;
};

// Each name at most once.
std::vector<SomeUser> some_users() {
  const auto uid = rc::gen::element<std::optional<int>>(
      std::nullopt, std::nullopt, std::nullopt, std::nullopt, 2000, 2001, 10000, 10001, 64030);
  std::vector<SomeUser> users;
  for (const char* name : {"alice", "bob", "carol", "dave", "soperator"}) {
    if (*rc::gen::arbitrary<bool>()) users.push_back({name, *uid});
  }
  if (*rc::gen::arbitrary<bool>()) std::ranges::reverse(users);
  return users;
}

std::map<std::string, std::uint32_t> some_uids() {
  const auto uid = rc::gen::element<std::uint32_t>(2002, 10000, 10001, 10002, 10003, 10004, 64031);
  std::map<std::string, std::uint32_t> uids;
  for (const char* name : {"alice", "bob", "carol", "gone", "soperator"}) {
    if (*rc::gen::arbitrary<bool>()) uids[name] = *uid;
  }
  if (*rc::gen::arbitrary<bool>()) uids["alice.10003"] = 10003;  // a former uid
  return uids;
}

json::Value cluster(const std::vector<SomeUser>& users, bool workers) {
  json::Array list;
  for (const SomeUser& user : users) {
    json::Object one{{"name", user.name}};
    if (user.uid) one.set("uid", *user.uid);
    list.emplace_back(std::move(one));
  }
  json::Object spec{{"users", std::move(list)}};
  if (workers) spec.set("slurmNodes", json::Object{{"worker", json::Object{{"size", 2}}}});
  return resource("demo", json::Value(std::move(spec)).dump());
}

std::string description(const Settled& settled) {
  std::string text = text_of(settled.findings);
  for (const std::string& field : settled.findings.accepted) text += "accepted " + field + "\n";
  return text + (settled.cluster ? describe(*settled.cluster) : "no cluster\n");
}

RC_GTEST_PROP(SettleProperty, the_order_of_node_sets_does_not_matter, ()) {
  const auto sets = *rc::gen::container<std::vector<json::Value>>(node_set());
  const auto some = some_users();
  const auto seed = *rc::gen::arbitrary<unsigned>();
  auto shuffled = sets;
  const auto middle = static_cast<std::ptrdiff_t>(sets.empty() ? 0 : seed % sets.size());
  std::ranges::rotate(shuffled, shuffled.begin() + middle);
  if (seed % 2 == 1) std::ranges::reverse(shuffled);
  const json::Value object = cluster(some, seed % 3 == 0);
  RC_ASSERT(description(settle(object, sets, {}, {})) ==
            description(settle(object, shuffled, {}, {})));
}

RC_GTEST_PROP(SettleProperty, recorded_uids_are_kept_and_no_uid_is_shared, ()) {
  const auto some = some_users();
  const Recorded recorded{.uids = some_uids()};
  const Settled result = settle(cluster(some, false), {}, recorded, {});
  if (!result.cluster) return;
  std::set<std::uint32_t> seen;
  for (const User& user : result.cluster->users) {
    RC_ASSERT(seen.insert(user.uid).second);
    RC_ASSERT(result.cluster->uids.at(user.name) == user.uid);
    const auto wanted = std::ranges::find(some, user.name, &SomeUser::name);
    const bool given = wanted != some.end() && wanted->uid;
    const auto known = recorded.uids.find(user.name);
    if (given || user.name == "soperator") continue;
    if (known != recorded.uids.end()) {
      RC_ASSERT(user.uid == known->second);
    } else {
      for (const auto& [name, uid] : recorded.uids) RC_ASSERT(uid != user.uid);
    }
  }
  // Nothing that was ever assigned is forgotten.
  std::set<std::uint32_t> kept;
  for (const auto& [name, uid] : result.cluster->uids) kept.insert(uid);
  for (const auto& [name, uid] : recorded.uids) RC_ASSERT(kept.contains(uid));
}

RC_GTEST_PROP(SettleProperty, settling_again_with_the_recorded_values_changes_nothing, ()) {
  const auto sets = *rc::gen::container<std::vector<json::Value>>(node_set());
  const json::Value object = cluster(some_users(), *rc::gen::arbitrary<bool>());
  const Recorded before{
      .naming = {}, .short_names_taken = *rc::gen::arbitrary<bool>(), .uids = some_uids()};
  const Settled first = settle(object, sets, before, {});
  if (!first.cluster) return;
  // The other cluster may be gone, or there may be one now.
  const Recorded recorded{.naming = first.cluster->names.naming(),
                          .short_names_taken = *rc::gen::arbitrary<bool>(),
                          .uids = read_uids(write_uids(first.cluster->uids))};
  RC_ASSERT(description(settle(object, sets, recorded, {})) == description(first));
}

}  // namespace
}  // namespace slurmop::settle
