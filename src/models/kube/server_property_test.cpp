// SPDX-License-Identifier: Apache-2.0
// A client that lists once and watches from there knows, at every later moment, the result of a
// list at that moment.
#include "models/testing/kube.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <sstream>

namespace models::kube {
namespace {

using testing::kPods;
using testing::TestServer;

using State = std::map<std::string, std::string>;  // name -> the whole object

struct Selection {
  const char* query;
};
constexpr Selection kSelections[] = {
    {""},
    {"&labelSelector=app%3Dweb"},
    {"&labelSelector=!app"},
    {"&labelSelector=app+in+(web%2Cdb)%2Ctier"},
    {"&fieldSelector=spec.nodeName%3D"},
    {"&fieldSelector=spec.nodeName%3Dk001%2Cstatus.phase!%3DFailed"},
    {"&fieldSelector=metadata.name%3Dp1"},
    {"&labelSelector=app&fieldSelector=status.phase%3DPending"},
};

State listed(TestServer& test, const std::string& query) {
  State state;
  for (const json::Value& item : array_at(test.get(kPods + "?x=y" + query).body, {"items"})) {
    json::Value whole = item;
    whole.as_object()->set("kind", "Pod").set("apiVersion", "v1");
    state[std::string(text_at(item, {"metadata", "name"}))] = whole.dump();
  }
  return state;
}

// Applies events as a client does; false if they are inconsistent.
bool follow(const std::string& lines, State& state) {
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const auto event = json::parse(line);
    const std::string_view type = text_at(*event, {"type"});
    const std::string name(text_at(*event, {"object", "metadata", "name"}));
    const bool is_known = state.contains(name);
    if (type == "ADDED" ? is_known : !is_known) return false;
    if (type == "DELETED") {
      state.erase(name);
    } else {
      json::Value object = *at(*event, {"object"});
      object.as_object()->erase("kind");
      object.as_object()->erase("apiVersion");
      object.as_object()->set("kind", "Pod").set("apiVersion", "v1");
      state[name] = object.dump();
    }
  }
  return true;
}

void random_write(TestServer& test) {
  const std::string name = fmt::format("p{}", *rc::gen::inRange(0, 4));
  const std::string label = *rc::gen::element<std::string>(R"("web")", R"("db")", "null");
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
    case 1:
      test.create_pod(name, label == "null" ? "" : R"(,"labels":{"app":)" + label + "}");
      return;
    case 2: test.patch(name, R"({"metadata":{"labels":{"app":)" + label + "}}}"); return;
    case 3: test.patch(name, R"({"metadata":{"labels":{"tier":)" + label + "}}}"); return;
    case 4: test.bind(name, *rc::gen::element<std::string>("k001", "k002")); return;
    case 5: {
      const std::string phase = *rc::gen::element<std::string>("Running", "Failed");
      test.send("PATCH",
                kPods + "/" + name + "/status",
                R"({"status":{"phase":")" + phase + R"("}})",
                testing::kStrategic);
      return;
    }
    case 6: test.send("DELETE", kPods + "/" + name); return;
    case 7: test.send("DELETE", kPods + "/" + name + "?gracePeriodSeconds=0"); return;
    default:
      test.patch(name,
                 *rc::gen::arbitrary<bool>() ? R"({"metadata":{"finalizers":["x/y"]}})"
                                             : R"({"metadata":{"finalizers":null}})");
  }
}

RC_GTEST_PROP(KubeServerProperty, AListAndAWatchFromItGiveEveryLaterList, ()) {
  TestServer test;
  const std::string query =
      kSelections[*rc::gen::inRange<std::size_t>(0, std::size(kSelections))].query;
  for (int n = *rc::gen::inRange(0, 10); n > 0; --n) random_write(test);
  State state = listed(test, query);
  WatchCursor cursor = test.watch(
      fmt::format("{}?watch=1&resourceVersion={}{}", kPods, test.server.version(), query));
  for (int n = *rc::gen::inRange(0, 30); n > 0; --n) {
    random_write(test);
    if (*rc::gen::inRange(0, 3) != 0) continue;
    const std::size_t limit = *rc::gen::element<std::size_t>(1, 2, 100);
    std::string lines;
    while (test.server.read_watch(cursor, lines, limit) > 0) {
    }
    RC_ASSERT(follow(lines, state));
    RC_ASSERT(state == listed(test, query));
  }
}

RC_GTEST_PROP(KubeServerProperty, AWatchFromAnyVersionEndsWhereTheListIs, ()) {
  TestServer test;
  const std::string query =
      kSelections[*rc::gen::inRange<std::size_t>(0, std::size(kSelections))].query;
  std::map<std::uint64_t, State> then;
  then[test.server.version()] = listed(test, query);
  for (int n = *rc::gen::inRange(0, 25); n > 0; --n) {
    random_write(test);
    then[test.server.version()] = listed(test, query);
  }
  for (auto& [version, state] : then) {
    // Past versions can be listed as well.
    const std::string exact =
        fmt::format("{}&resourceVersion={}&resourceVersionMatch=Exact", query, version);
    RC_ASSERT(listed(test, exact) == state);
    WatchCursor cursor =
        test.watch(fmt::format("{}?watch=1&resourceVersion={}{}", kPods, version, query));
    std::string lines;
    while (test.server.read_watch(cursor, lines, 3) > 0) {
    }
    RC_ASSERT(follow(lines, state));
    RC_ASSERT(state == then.rbegin()->second);
  }
}

}  // namespace
}  // namespace models::kube
