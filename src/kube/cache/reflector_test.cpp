// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/reflector.h"

#include "kube/api/node.h"
#include "kube/cache/store.h"
#include "net/async/signal.h"
#include "net/async/task_group.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <deque>
#include <random>

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Request;
using net::http::Response;
using net::http::StreamingResponse;
using namespace std::chrono_literals;

std::string query(const Request& request, std::string_view name) {
  const std::string wanted = fmt::format("{}=", name);
  auto at = request.target.find("?" + wanted);
  if (at == std::string::npos) at = request.target.find("&" + wanted);
  if (at == std::string::npos) return "";
  at += 1 + wanted.size();
  return request.target.substr(at, request.target.find('&', at) - at);
}

// The fault rates of the server.
struct Temper {
  double cut = 0;              // probability that a read breaks the watch, at any byte
  double fail = 0;             // probability that a request is lost or answered 500
  std::size_t history = 1000;  // number of events kept; older positions are answered 410
  std::size_t page = 500;
};

// A small API server for nodes: paged lists, watches with resume, 410, and every kind of
// interruption.
class Server final : public net::http::Transport {
 public:
  Server(net::Loop& loop, std::uint64_t seed, Temper temper)
      : random(seed), temper_(temper), changed_(loop) {}

  void put(const std::string& name) {
    ++version_;
    const bool is_new = !objects_.contains(name);
    objects_[name] = version_;
    remember(is_new ? "ADDED" : "MODIFIED", name);
  }
  void erase(const std::string& name) {
    if (objects_.erase(name) == 0) return;
    ++version_;
    remember("DELETED", name);
  }

  net::Task<Result<Response>> send(Request request, base::Instant) override {
    if (chance(temper_.fail)) co_return Error(Kind::lost, "the connection broke");
    if (chance(temper_.fail)) co_return Response(500, {}, R"({"message":"bad day"})");
    co_return page(query(request, "continue"));
  }

  net::Task<Result<StreamingResponse>> open(Request request, base::Instant) override {
    ++watches;
    if (chance(temper_.fail)) co_return Error(Kind::unreachable, "refused");
    if (chance(temper_.fail)) {
      co_return StreamingResponse(503, {}, std::make_unique<Watch>(*this, version_, "overloaded"));
    }
    std::uint64_t from = 0;
    const std::string text = query(request, "resourceVersion");
    std::from_chars(text.data(), text.data() + text.size(), from);
    if (from < forgotten_) {
      ++gone;
      // A real server does either.
      if (chance(0.5)) {
        co_return StreamingResponse(
            410, {}, std::make_unique<Watch>(*this, version_, R"({"code":410})"));
      }
      co_return StreamingResponse(
          200,
          {},
          std::make_unique<Watch>(
              *this,
              version_,
              "{\"type\":\"ERROR\",\"object\":{\"code\":410,\"message\":\"too old\"}}\n"));
    }
    co_return StreamingResponse(200, {}, std::make_unique<Watch>(*this, from, ""));
  }

  const std::map<std::string, std::uint64_t>& objects() const { return objects_; }

  std::mt19937_64 random;
  std::uint64_t gone = 0;
  std::uint64_t lists = 0;
  std::uint64_t watches = 0;

 private:
  struct Event {
    std::uint64_t version;
    std::string line;
  };

  class Watch final : public net::http::Body {
   public:
    Watch(Server& server, std::uint64_t from, std::string first)
        : server_(server),
          from_(from),
          pending_(std::move(first)),
          ends_after_first_(!pending_.empty()) {}

    net::Task<Result<std::size_t>> read(std::string& append_to, base::Instant deadline) override {
      while (pending_.empty()) {
        if (ends_after_first_) co_return 0U;
        for (const Event& event : server_.events_) {
          if (event.version <= from_) continue;
          pending_ += event.line;
          from_ = event.version;
        }
        if (!pending_.empty()) break;
        if (server_.chance(0.1)) co_return 0U;  // an orderly end by the server
        CO_TRY(const bool notified, co_await server_.changed_.wait_until(deadline));
        if (!notified) co_return Error(Kind::lost, "nothing came");
      }
      const std::size_t size =
          std::uniform_int_distribution<std::size_t>(1, pending_.size())(server_.random);
      append_to += pending_.substr(0, size);
      pending_.erase(0, size);
      if (!ends_after_first_ && server_.chance(server_.temper_.cut))
        co_return Error(Kind::lost, "cut");
      co_return size;
    }

   private:
    Server& server_;
    std::uint64_t from_;
    std::string pending_;
    bool ends_after_first_;
  };

  static std::string object(const std::string& name, std::uint64_t version) {
    return fmt::format(R"({{"metadata":{{"name":"{}","uid":"u-{}","resourceVersion":"{}"}}}})",
                       name,
                       name,
                       version);
  }

  void remember(std::string_view type, const std::string& name) {
    events_.push_back(
        {version_,
         fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object(name, version_))});
    while (events_.size() > temper_.history) {
      forgotten_ = events_.front().version;
      events_.pop_front();
    }
    changed_.notify();
  }

  // Pages are cut from the state at the start of the list, as in a real server.
  Response page(const std::string& token) {
    std::size_t start = 0;
    if (token.empty()) {
      ++lists;
      snapshot_.assign(objects_.begin(), objects_.end());
      snapshot_version_ = version_;
    } else {
      if (chance(temper_.fail)) {
        ++gone;
        return {410, {}, R"({"message":"the continue token has expired"})"};
      }
      std::from_chars(token.data(), token.data() + token.size(), start);
    }
    std::string items;
    std::size_t next = start;
    for (; next < snapshot_.size() && next < start + temper_.page; ++next) {
      if (!items.empty()) items += ',';
      items += object(snapshot_[next].first, snapshot_[next].second);
    }
    const std::string more = next < snapshot_.size() ? std::to_string(next) : "";
    return {200,
            {},
            fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
                        snapshot_version_,
                        more,
                        items)};
  }

  bool chance(double probability) { return std::bernoulli_distribution(probability)(random); }

  Temper temper_;
  net::Signal changed_;
  std::uint64_t version_ = 1;
  std::uint64_t forgotten_ = 0;
  std::map<std::string, std::uint64_t> objects_;
  std::deque<Event> events_;
  std::vector<std::pair<std::string, std::uint64_t>> snapshot_;
  std::uint64_t snapshot_version_ = 0;
};

// A reflector of a Server, on virtual time.
struct World {
  World(std::uint64_t seed, Temper temper) : loop(clock, seed), server(loop, seed, temper) {
    store.on_change([this](const ObjectKey&, const auto&, const auto&) { ++changes_told; });
    tasks.spawn("reflector", reflector.run());
  }
  ~World() {
    tasks.cancel();
    loop.run_virtual(clock);
  }

  void run_for(base::Duration time) { loop.run_virtual(clock, clock.now() + time); }

  std::map<std::string, std::uint64_t> seen() const {
    std::map<std::string, std::uint64_t> objects;
    for (const auto& [key, node] : store.objects()) {
      objects[key.name] = std::stoull(node->metadata.resourceVersion);
    }
    return objects;
  }

  base::VirtualClock clock;
  net::Loop loop;
  Server server;
  Credentials no_credentials;
  Client client{server, no_credentials};
  Store<Node> store;
  Reflector reflector{loop, client, Selection{kNodes, "", "", ""}, store, base::Log()};
  net::TaskGroup tasks{loop};
  std::uint64_t changes_told = 0;
};

void update_at_random(World& world, int updates) {
  for (int i = 0; i < updates; ++i) {
    const auto number = std::uniform_int_distribution<int>(0, 700)(world.server.random);
    const std::string name = fmt::format("n{}", number);
    if (std::bernoulli_distribution(0.3)(world.server.random)) {
      world.server.erase(name);
    } else {
      world.server.put(name);
    }
    world.run_for(std::chrono::microseconds(
        std::uniform_int_distribution<int>(0, 2000)(world.server.random)));
  }
  world.run_for(10min);
}

TEST(Reflector, TenThousandUpdatesThroughWatchesCutAtRandomBytes) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    World world(seed, Temper{.cut = 0.2, .fail = 0.05, .history = 100, .page = 50});
    update_at_random(world, 10'000);
    EXPECT_EQ(world.seen(), world.server.objects()) << "seed " << seed;
    // Only a 410 causes a new list.
    EXPECT_EQ(world.reflector.lists(), 1 + world.reflector.gone_answers()) << "seed " << seed;
    EXPECT_EQ(world.reflector.gone_answers(), world.server.gone) << "seed " << seed;
    EXPECT_GT(world.server.gone, 0U) << "the test had no 410";
    EXPECT_GT(world.server.watches, 100U) << "the test cut too few watches";
  }
}

TEST(Reflector, CutsAloneNeverCauseAList) {
  World world(4, Temper{.cut = 0.5, .fail = 0.2, .history = 100'000});
  update_at_random(world, 3'000);
  EXPECT_EQ(world.seen(), world.server.objects());
  EXPECT_EQ(world.reflector.lists(), 1U);
}

TEST(Reflector, AQuietServerGetsFewRequests) {
  World world(5, Temper{});
  world.server.put("a");
  world.run_for(1h);
  // The fake sends no bookmarks, so a watch lasts 90 s; a tenth of them end early.
  EXPECT_LT(world.server.watches, 60U);
  EXPECT_EQ(world.reflector.lists(), 1U);
}

TEST(Store, ShowsNoPartOfAList) {
  json::Parser parser;
  Store<Node> store;
  std::vector<std::size_t> sizes;
  store.on_change(
      [&](const ObjectKey&, const auto&, const auto&) { sizes.push_back(store.objects().size()); });
  store.list_begins();
  store.list_item(*parser.parse(R"({"metadata":{"name":"a","resourceVersion":"1"}})"));
  EXPECT_FALSE(store.synced());
  EXPECT_TRUE(store.objects().empty());
  store.list_item(*parser.parse(R"({"metadata":{"name":"b","resourceVersion":"2"}})"));
  store.list_ends();
  EXPECT_TRUE(store.synced());
  EXPECT_THAT(sizes, testing::ElementsAre(2U, 2U));
}

TEST(Store, AnUndecodableObjectDoesNotAffectOthers) {
  json::Parser parser;
  Store<Node> store;
  store.list_begins();
  store.list_item(*parser.parse(R"({"metadata":{"name":"a","resourceVersion":"1"}})"));
  store.list_item(*parser.parse(R"({"metadata":{"name":"b"},"spec":{"unschedulable":"yes"}})"));
  store.list_ends();
  EXPECT_EQ(store.objects().size(), 1U);
  EXPECT_EQ(store.undecodable().at({"", "b"}),
            "$.spec.unschedulable: expected a boolean, got a string");

  store.changed(*parser.parse(R"({"metadata":{"name":"b"},"spec":{"unschedulable":true}})"));
  EXPECT_TRUE(store.undecodable().empty());
  EXPECT_TRUE(store.find({"", "b"})->spec.unschedulable);
}

TEST(Store, AnOlderVersionDoesNotReplaceANewer) {
  json::Parser parser;
  Store<Node> store;
  int changes = 0;
  store.on_change([&](const ObjectKey&, const auto&, const auto&) { ++changes; });
  store.written(*decode_object<Node>(
      *parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"7"}})")));
  EXPECT_EQ(changes, 0)
      << "the answer of a write does not restore an object that the watch has removed";
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8"}})"));
  store.written(*decode_object<Node>(
      *parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"10"}})")));
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"9"}})"));
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"10"}})"));
  EXPECT_EQ(store.find({"", "a"})->metadata.resourceVersion, "10");
  EXPECT_EQ(changes, 2);
  // Another object of the same name is accepted with any version.
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"v","resourceVersion":"3"}})"));
  EXPECT_EQ(store.find({"", "a"})->metadata.uid, Uid("v"));
}

// Simulation seed 309960: pods lost their labels to a list that was older than our own writes.
TEST(Store, AnOldListDoesNotRevertOwnWrites) {
  json::Parser parser;
  Store<Node> store;
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8"}})"));
  store.written(*decode_object<Node>(
      *parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"10"}})")));
  store.list_begins();
  store.list_item(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8"}})"));
  store.list_ends();
  EXPECT_EQ(store.find({"", "a"})->metadata.resourceVersion, "10");
}

// Simulation seed 70748: the answer arrived after another pod had the same name, and hid that pod.
TEST(Store, TheAnswerOfAWriteDoesNotReplaceAnotherObjectOfTheSameName) {
  json::Parser parser;
  Store<Node> store;
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"new","resourceVersion":"9"}})"));
  store.written(*decode_object<Node>(
      *parser.parse(R"({"metadata":{"name":"a","uid":"old","resourceVersion":"8"}})")));
  EXPECT_EQ(store.find({"", "a"})->metadata.uid, Uid("new"));
}

TEST(Store, TheAnswerOfAWriteIsAChangeEvenWithoutANewVersion) {
  json::Parser parser;
  Store<Node> store;
  store.changed(*parser.parse(
      R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8","finalizers":["f"]}})"));
  store.changed(*parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8"}})"));
  EXPECT_TRUE(store.find({"", "a"})->metadata.has_finalizer("f"));
  store.written(*decode_object<Node>(
      *parser.parse(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"8"}})")));
  EXPECT_FALSE(store.find({"", "a"})->metadata.has_finalizer("f"));
}

TEST(Store, AListReportsOnlyChanges) {
  json::Parser parser;
  Store<Node> store;
  std::vector<std::string> changes;
  store.on_change([&](const ObjectKey& key, const auto& before, const auto& after) {
    changes.push_back(key.name + (before ? "-" : "") + (after ? "+" : ""));
  });
  const auto list = [&](std::vector<std::string> objects) {
    store.list_begins();
    for (const std::string& object : objects) store.list_item(*parser.parse(object));
    store.list_ends();
  };
  list({R"({"metadata":{"name":"a","resourceVersion":"1"}})",
        R"({"metadata":{"name":"b","resourceVersion":"2"}})"});
  changes.clear();
  list({R"({"metadata":{"name":"b","resourceVersion":"2"}})",
        R"({"metadata":{"name":"c","resourceVersion":"3"}})"});
  EXPECT_THAT(changes, testing::ElementsAre("c+", "a-"));
}

}  // namespace
}  // namespace kube::inline cache
