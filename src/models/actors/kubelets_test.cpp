// SPDX-License-Identifier: Apache-2.0
#include "models/actors/kubelets.h"

#include "models/kube/json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace models::actors {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

struct KubeletsTest : ::testing::Test {
  base::VirtualClock clock;
  kube::KubeServer server{clock};
  Agenda agenda{clock};
  Kubelets kubelets{agenda, server, {[](auto least, auto) { return least; }, true}};

  KubeletsTest() {
    server.on_write([this](const kube::ObjectWrite& write) {
      if (write.object.plural == "pods") kubelets.look_at(write.object.ns, write.object.name);
    });
    ask("POST", "/api/v1/nodes", R"({"metadata":{"name":"n1"}})");
  }
  void ask(std::string method, std::string path, std::string body = "") {
    net::http::Request request(std::move(method), std::move(path), std::move(body));
    request.headers.emplace_back("Content-Type", "application/json");
    EXPECT_LT(server.handle(request).status, 300);
  }
  void make(std::string_view name) {
    ask("POST",
        std::string(kPods),
        fmt::format(R"({{"metadata":{{"name":"{}","annotations":)"
                    R"({{"slurm-bridge.dev/run-seconds":"5"}}}},)"
                    R"("spec":{{"containers":[{{"name":"c","image":"i"}}]}}}})",
                    name));
  }
  void bind(std::string_view name) {
    ask("POST",
        fmt::format("{}/{}/binding", kPods, name),
        R"({"target":{"kind":"Node","name":"n1"}})");
  }
  void pass(base::Duration time) {
    const base::Instant end = clock.now() + time;
    while (agenda.next() <= end) {
      clock.advance_to(agenda.next());
      agenda.run_next();
    }
    clock.advance_to(end);
  }
  std::string_view phase(std::string name) const {
    const json::Value* pod = server.find({"pods", "default", std::move(name)});
    return pod == nullptr ? "gone" : kube::text_at(*pod, {"status", "phase"});
  }
};

TEST_F(KubeletsTest, APodRunsWhenItIsBoundAndEndsAfterItsTime) {
  make("a");
  make("fails");
  pass(10s);
  EXPECT_EQ(phase("a"), "Pending");
  bind("a");
  bind("fails");
  EXPECT_EQ(phase("a"), "Pending") << "nothing is written from within a write";
  pass(1s);
  EXPECT_EQ(phase("a"), "Running");
  pass(5s);
  EXPECT_EQ(phase("a"), "Succeeded");
  EXPECT_EQ(phase("fails"), "Failed");
}

TEST_F(KubeletsTest, AnEndedPodHasTheStateOfItsContainer) {
  make("a");
  bind("a");
  pass(1s);
  const auto status = [this] {
    const json::Value& pod = *server.find({"pods", "default", "a"});
    return kube::array_at(pod, {"status", "containerStatuses"}).at(0);
  };
  EXPECT_NE(kube::at(status(), {"state", "running"}), nullptr);
  pass(5s);
  EXPECT_EQ(kube::at(status(), {"state", "running"}), nullptr);
  EXPECT_EQ(kube::text_at(status(), {"state", "terminated", "reason"}), "Completed");
}

TEST_F(KubeletsTest, ADeletedPodIsRemoved) {
  make("a");
  bind("a");
  pass(1s);
  ask("DELETE", std::string(kPods) + "/a");
  EXPECT_EQ(phase("a"), "Running");
  pass(1s);
  EXPECT_EQ(phase("a"), "gone");
}

TEST_F(KubeletsTest, ADeadKubeletDoesNothingUntilItComesBack) {
  kubelets.die("n1");
  make("a");
  bind("a");
  pass(10s);
  EXPECT_EQ(phase("a"), "Pending");
  kubelets.come_back("n1");
  pass(1s);
  EXPECT_EQ(phase("a"), "Running");
}

}  // namespace
}  // namespace models::actors
