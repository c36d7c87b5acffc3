// SPDX-License-Identifier: Apache-2.0
#include "operator/process/endpoints.h"

#include "operator/process/endpoint_transport.h"
#include "operator/process/testing_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::process {
namespace {

using ::testing::HasSubstr;

struct EndpointsTest : testing::StoresTest {
  void add_service(std::string_view ip) {
    world.send(
        "POST",
        "/api/v1/namespaces/default/services",
        fmt::format(
            R"({{"metadata":{{"name":"a-rest-svc",{}}},"spec":{{"clusterIP":"{}","ports":[{{"port":6820}}]}}}})",
            world.labels("a", "rest"),
            ip));
  }
  void set_pod_ip(const std::string& pod, std::string_view ip) {
    world.send("PATCH",
               "/api/v1/namespaces/default/pods/" + pod + "/status",
               fmt::format(R"({{"status":{{"podIP":"{}"}}}})", ip));
  }
  const kube::ObjectKey a{"default", "a"};
  ServiceEndpoints endpoints{world.loop, stores, "test/1"};
};

TEST_F(EndpointsTest, SlurmrestdIsAtTheAddressOfItsService) {
  fill();
  EXPECT_EQ(endpoints.slurmrestd(a), std::nullopt);
  add_service("10.1.2.3");
  settle_down();
  EXPECT_EQ(endpoints.slurmrestd(a), (Address{"10.1.2.3", 6820}));
}

TEST_F(EndpointsTest, AHeadlessServiceIsReachedByItsName) {
  add_service("None");
  fill();
  EXPECT_EQ(endpoints.slurmrestd(a), (Address{"a-rest-svc.default.svc", 6820}));
}

TEST_F(EndpointsTest, TheAgentIsInTheControllerPod) {
  world.add_pod("worker-0", "a", "worker");
  world.add_pod("controller-0", "a", "controller");
  set_pod_ip("worker-0", "10.9.9.9");
  fill();
  EXPECT_EQ(endpoints.agent(a), std::nullopt);  // no address yet
  set_pod_ip("controller-0", "10.1.1.1");
  settle_down();
  EXPECT_EQ(endpoints.agent(a), (Address{"10.1.1.1", 6880}));
}

TEST_F(EndpointsTest, ARequestGoesToTheAddressAtItsTime) {
  testing::FakeEndpoints fake(world.loop, world.daemons);
  EndpointTransport transport(fake, [&] { return fake.rest_address; }, "the Service of slurmrestd");
  const auto send = [&] {
    return world.run(transport.send(net::http::Request("GET", "/x/ping/"), base::kNever));
  };
  EXPECT_TRUE(send().ok());
  EXPECT_TRUE(send().ok());
  EXPECT_EQ(fake.connections, 1);
  fake.rest_address = Address{"10.0.0.9", 6820};
  EXPECT_TRUE(send().ok());
  EXPECT_EQ(fake.connections, 2);
  fake.rest_address.reset();
  const auto none = send();
  ASSERT_FALSE(none.ok());
  EXPECT_TRUE(none.error().is(base::Kind::unreachable));
  EXPECT_THAT(none.error().message(), HasSubstr("the Service of slurmrestd"));
}

}  // namespace
}  // namespace slurmop::process
