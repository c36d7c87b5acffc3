// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/node_mirror.h"

#include "slurm/testing/sample.h"
#include "slurm/testing/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Kind;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Nodes that a test changes, with slurmrestd's rule for 304: whole seconds of its own clock.
class NodeMirrorTest : public ::testing::Test {
 protected:
  NodeMirrorTest() {
    mirror_.on_change([this](const SlurmNodeName& name) { changed_.push_back(name.value()); });
    group_.spawn("nodes", mirror_.run());
  }
  ~NodeMirrorTest() override {
    group_.cancel();
    loop_.run_virtual(clock_, clock_.now());
  }

  void pass(base::Duration time) { loop_.run_virtual(clock_, clock_.now() + time); }
  void set(const std::string& node, const std::string& states) {
    nodes_[node] = states;
    touched();
  }
  void touched() { updated_at_ = slurm_clock(); }
  std::int64_t slurm_clock() const {
    return 1'800'000'000 + slurm_clock_off_ +
           std::chrono::floor<seconds>(clock_.now().time_since_epoch()).count();
  }

  testing::ScriptedTransport::Reply reply(const net::http::Request& request) const {
    if (outage_) return {*outage_, latency_};
    const std::string_view key = "update_time=";
    const auto at = request.target.find(key);
    const long long since =
        at == request.target.npos ? 0 : std::stoll(request.target.substr(at + key.size()));
    if (since - 1 >= updated_at_) return {testing::answer(304, ""), latency_};
    json::Array list;
    for (const auto& [name, states] : nodes_)
      list.push_back(json::Object{{"name", name}, {"state", json::Array{states}}});
    const json::Object body{{"nodes", std::move(list)},
                            {"last_update", json::Object{{"number", slurm_clock()}}},
                            {"errors", json::Array{}}};
    return {testing::answer(200, json::Value(body).dump()), latency_};
  }
  const Node* node(const char* name) const { return mirror_.find(SlurmNodeName(name)); }
  std::size_t calls() const { return transport_.calls.size(); }

  base::VirtualClock clock_;
  net::Loop loop_{clock_, 7};
  std::map<std::string, std::string> nodes_{{"k001", "IDLE"}, {"k002", "IDLE"}};
  std::int64_t updated_at_ = 1'700'000'000;
  std::int64_t slurm_clock_off_ = 0;
  std::optional<Error> outage_;
  base::Duration latency_ = base::Duration::zero();
  bool matters_ = true;
  testing::ScriptedTransport transport_{
      loop_, [this](const net::http::Request& request) { return reply(request); }};
  TokenSource tokens_ = TokenSource::fixed(base::Secret("t"));
  Client client_{loop_, transport_, tokens_};
  NodeMirror mirror_{loop_, client_, NodeMirrorOptions(), [this] { return matters_; }};
  net::TaskGroup group_{loop_};
  std::vector<std::string> changed_;
};

TEST_F(NodeMirrorTest, KnowsTheNodesByNameAfterTheFirstAnswer) {
  EXPECT_FALSE(mirror_.synced());
  pass(milliseconds(1));
  ASSERT_TRUE(mirror_.synced()) << mirror_.last_error()->to_string();
  EXPECT_THAT(mirror_.names(), ElementsAre(SlurmNodeName("k001"), SlurmNodeName("k002")));
  ASSERT_NE(node("k001"), nullptr);
  EXPECT_EQ(node("k009"), nullptr);
  EXPECT_THAT(changed_, ElementsAre("k001", "k002"));
}

TEST_F(NodeMirrorTest, ReportsEachAddedChangedOrRemovedNodeAndNoOther) {
  pass(seconds(5));
  changed_.clear();
  pass(seconds(5));
  EXPECT_THAT(changed_, IsEmpty());
  set("k002", "DOWN");
  set("k003", "IDLE");
  pass(seconds(3));
  EXPECT_THAT(changed_, ElementsAre("k002", "k003"));
  EXPECT_TRUE(node("k002")->down());
  changed_.clear();
  nodes_.erase("k001");
  touched();
  pass(seconds(3));
  EXPECT_THAT(changed_, ElementsAre("k001"));
  EXPECT_EQ(node("k001"), nullptr);
}

TEST_F(NodeMirrorTest, AChangeWithinTheSecondOfAnAnswerIsNotMissed) {
  pass(milliseconds(10));
  set("k001", "DOWN");  // the list already has the time stamp of this second
  pass(seconds(3));
  EXPECT_TRUE(node("k001")->down());
}

TEST_F(NodeMirrorTest, AsksEveryTwoSecondsWhileItMattersAndSeldomWhenQuiet) {
  pass(minutes(2));
  EXPECT_NEAR(static_cast<double>(calls()), 60, 2);
  matters_ = false;
  pass(seconds(10));
  const std::size_t before = calls();
  pass(minutes(2));
  EXPECT_NEAR(static_cast<double>(calls() - before), 12, 1);
  set("k001", "DOWN");
  pass(seconds(10));
  const std::size_t stirred = calls();
  pass(seconds(40));
  EXPECT_NEAR(static_cast<double>(calls() - stirred), 20, 1);
}

TEST_F(NodeMirrorTest, ItsPaceDoesNotDependOnHowManyNodesThereAre) {
  for (int i = 0; i < 2000; ++i) set(fmt::format("n{}", i), "IDLE");
  pass(minutes(1));
  EXPECT_NEAR(static_cast<double>(calls()), 30, 2);
}

TEST_F(NodeMirrorTest, HurryLooksAtOnceAndOftenForAWhile) {
  pass(milliseconds(500));
  EXPECT_EQ(calls(), 1U);
  mirror_.hurry();
  set("k001", "DOWN");
  pass(milliseconds(1));
  EXPECT_TRUE(node("k001")->down());
  pass(seconds(10));
  EXPECT_NEAR(static_cast<double>(calls()), 1 + 12 + 4, 2);
}

TEST_F(NodeMirrorTest, AnOutageChangesNothingAndBacksOff) {
  pass(seconds(3));
  changed_.clear();
  nodes_.clear();
  outage_ = Error(Kind::unavailable, "x");
  const std::size_t before = calls();
  const base::Instant as_of = mirror_.as_of();
  pass(seconds(60));
  EXPECT_LT(calls() - before, 16U);
  EXPECT_FALSE(mirror_.healthy());
  EXPECT_EQ(mirror_.as_of(), as_of);
  EXPECT_THAT(changed_, IsEmpty());
  EXPECT_EQ(mirror_.names().size(), 2U);
}

TEST_F(NodeMirrorTest, AsOfAdvancesEvenIfNothingChanged) {
  pass(seconds(1));
  latency_ = milliseconds(400);
  pass(milliseconds(1100));  // the second call is in flight
  const base::Instant before = mirror_.as_of();
  pass(milliseconds(400));
  EXPECT_GT(mirror_.as_of(), before);
  EXPECT_LE(mirror_.as_of(), clock_.now() - milliseconds(400));  // when it was sent
}

TEST_F(NodeMirrorTest, AClockThatWasSetBackHidesAChangeForFiveMinutesAtMost) {
  pass(seconds(3));
  slurm_clock_off_ = -3600;
  set("k001", "DOWN");
  pass(minutes(5) + seconds(3));
  EXPECT_TRUE(node("k001")->down());
}

TEST_F(NodeMirrorTest, StopsInTheMiddleOfACall) {
  latency_ = seconds(5);
  pass(seconds(1));
  group_.cancel();
  pass(base::Duration::zero());
  EXPECT_TRUE(group_.empty());
}

TEST_F(NodeMirrorTest, ALongOutageIsReportedOnceAndSoIsItsEnd) {
  std::vector<int> reports;
  mirror_.on_outage([&](const Error& error) { reports.push_back(error.status()); });
  mirror_.on_recovery([&] { reports.push_back(200); });
  pass(seconds(5));
  outage_ = Error(Kind::unavailable, "x").with_status(502);
  pass(seconds(5));
  EXPECT_THAT(reports, IsEmpty());
  pass(minutes(5));
  outage_.reset();
  pass(minutes(1));
  EXPECT_THAT(reports, ElementsAre(502, 200));
}

TEST_F(NodeMirrorTest, AnAnswerThatNothingHasChangedIsNoListOfNodes) {
  updated_at_ = -2;  // 304 to every request, as a cache on the path may answer
  pass(seconds(30));
  EXPECT_FALSE(mirror_.synced());
  EXPECT_FALSE(mirror_.healthy());
}

}  // namespace
}  // namespace slurm::inline mirror
