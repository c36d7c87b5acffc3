// SPDX-License-Identifier: Apache-2.0
#include "models/actors/garbage_collector.h"

#include "models/kube/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace models::actors {
namespace {

using namespace std::chrono_literals;

struct Collecting : ::testing::Test {
  Collecting() {
    server.on_write([this](const kube::ObjectWrite& write) { collector.look_at(write); });
    send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"work"}})");
  }

  void send(std::string method, std::string path, std::string body = {}) {
    net::http::Request request(std::move(method), std::move(path), std::move(body));
    request.headers.emplace_back("Content-Type", "application/json");
    EXPECT_LT(server.handle(request).status, 300);
  }
  void make(std::string_view name, std::string_view owner = {}) {
    std::string owners;
    if (!owner.empty()) {
      const json::Value* object = find(owner);
      ASSERT_NE(object, nullptr);
      owners = fmt::format(
          R"(,"ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"{}","uid":"{}"}}])",
          owner,
          kube::text_at(*object, {"metadata", "uid"}));
    }
    send("POST",
         "/api/v1/namespaces/work/configmaps",
         fmt::format(R"({{"metadata":{{"name":"{}"{}}}}})", name, owners));
  }
  const json::Value* find(std::string_view name) const {
    return server.find({"configmaps", "work", std::string(name)});
  }
  void pass(base::Duration time) {
    const base::Instant until = clock.now() + time;
    while (agenda.next() <= until) {
      clock.advance_to(std::max(clock.now(), agenda.next()));
      agenda.run_next();
    }
    clock.advance_to(until);
  }

  base::VirtualClock clock;
  Agenda agenda{clock};
  kube::KubeServer server{clock};
  GarbageCollector collector{
      agenda, server, [](base::Duration least, base::Duration) { return least; }};
};

TEST_F(Collecting, DeletesWhatADeletedObjectOwnedAndWhatThatOwned) {
  make("top");
  make("middle", "top");
  make("bottom", "middle");
  pass(1s);
  EXPECT_NE(find("bottom"), nullptr);
  send("DELETE", "/api/v1/namespaces/work/configmaps/top");
  EXPECT_NE(find("middle"), nullptr) << "nothing is written within a write";
  pass(1s);
  EXPECT_EQ(find("middle"), nullptr);
  EXPECT_EQ(find("bottom"), nullptr);
  EXPECT_EQ(agenda.next(), base::kNever) << "no further run is due";
}

TEST_F(Collecting, DoesNothingWhileNoObjectHasAnOwner) {
  make("alone");
  send("DELETE", "/api/v1/namespaces/work/configmaps/alone");
  EXPECT_EQ(agenda.next(), base::kNever);
}

}  // namespace
}  // namespace models::actors
