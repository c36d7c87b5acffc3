// SPDX-License-Identifier: Apache-2.0
#include "models/actors/volume_controller.h"

#include "models/kube/json.h"

#include <gtest/gtest.h>

namespace models::actors {
namespace {

using namespace std::chrono_literals;

// A claim of a class with WaitForFirstConsumer, and the controller that observes all changes.
struct Storage {
  explicit Storage(std::string_view provisioner) {
    server.on_write([this](const kube::ObjectWrite& write) {
      const std::string& plural = write.object.plural;
      if (plural == "persistentvolumeclaims" || plural == "persistentvolumes")
        controller.look_at("work", "data");
    });
    send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"work"}})");
    send("POST",
         "/apis/storage.k8s.io/v1/storageclasses",
         R"({"metadata":{"name":"local"},"volumeBindingMode":"WaitForFirstConsumer",)"
         R"("provisioner":")" +
             std::string(provisioner) + R"("})");
    send("POST",
         "/api/v1/namespaces/work/persistentvolumeclaims",
         R"({"metadata":{"name":"data"},"spec":{"storageClassName":"local"}})");
  }

  int send(std::string method, std::string path, std::string body) {
    const bool patch = method == "PATCH";
    net::http::Request request(std::move(method), std::move(path), std::move(body));
    request.headers.emplace_back("Content-Type",
                                 patch ? "application/merge-patch+json" : "application/json");
    return server.handle(request).status;
  }
  void choose_node(std::string_view node) {
    EXPECT_EQ(send("PATCH",
                   "/api/v1/namespaces/work/persistentvolumeclaims/data",
                   R"({"metadata":{"annotations":{"volume.kubernetes.io/selected-node":")" +
                       std::string(node) + R"("}}})"),
              200);
  }
  void pass(base::Duration time) {
    const base::Instant until = clock.now() + time;
    while (agenda.next() <= until) {
      clock.advance_to(std::max(clock.now(), agenda.next()));
      agenda.run_next();
    }
    clock.advance_to(until);
  }
  const json::Value& claim() const {
    return *server.find({"persistentvolumeclaims", "work", "data"});
  }
  std::string_view phase() const { return kube::text_at(claim(), {"status", "phase"}); }

  base::VirtualClock clock;
  Agenda agenda{clock};
  kube::KubeServer server{clock};
  bool refuse = false;
  VolumeController controller{agenda,
                              server,
                              {[](auto, auto most) { return most; },
                               [this](const std::string&, const std::string&) { return refuse; }}};
};

TEST(VolumeController, MakesAVolumeOnlyWhenANodeWasChosenAndOnlyThere) {
  Storage storage("example.com/disks");
  storage.pass(1min);
  EXPECT_NE(storage.phase(), "Bound");
  storage.choose_node("n1");
  storage.pass(1min);
  EXPECT_EQ(storage.phase(), "Bound");
  const std::string name(kube::text_at(storage.claim(), {"spec", "volumeName"}));
  const json::Value* volume = storage.server.find({"persistentvolumes", "", name});
  ASSERT_NE(volume, nullptr);
  EXPECT_TRUE(volume->dump().contains(R"("values":["n1"])")) << volume->dump();
}

TEST(VolumeController, TakesTheChoiceBackWhereItCannotMakeAVolume) {
  Storage storage("example.com/disks");
  storage.refuse = true;
  storage.choose_node("n1");
  storage.pass(1min);
  EXPECT_NE(storage.phase(), "Bound");
  EXPECT_FALSE(storage.claim().dump().contains("selected-node")) << storage.claim().dump();
}

TEST(VolumeController, CompletesABindThatASchedulerBegan) {
  Storage storage("kubernetes.io/no-provisioner");
  storage.choose_node("n1");
  storage.pass(1min);
  EXPECT_NE(storage.phase(), "Bound");
  EXPECT_EQ(storage.send("POST",
                         "/api/v1/persistentvolumes",
                         R"({"metadata":{"name":"disk-1"},"spec":{"storageClassName":"local",)"
                         R"("claimRef":{"namespace":"work","name":"data"}}})"),
            201);
  storage.pass(1min);
  EXPECT_EQ(storage.phase(), "Bound");
  EXPECT_EQ(kube::text_at(storage.claim(), {"spec", "volumeName"}), "disk-1");
}

}  // namespace
}  // namespace models::actors
