// SPDX-License-Identifier: Apache-2.0
#include "kube/ca/certificate_keeper.h"

#include "base/base64.h"
#include "json/pointer.h"
#include "kube/ca/ca_bundle.h"
#include "kube/testing/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kube::inline ca {
namespace {

using namespace std::chrono_literals;
using testing::ModelWorld;

constexpr auto kDay = 24h;

RotationPolicy policy() {
  return {"test CA", {"webhook.ns.svc"}, 300 * kDay, 90 * kDay};
}

const std::string kSecretPath = "/api/v1/namespaces/default/secrets/certs";
const std::string kHook = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

TEST(Rotation, AFreshPairNeedsNothing) {
  const base::WallTime now{};
  const auto made = first_certificates(policy(), now);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(next_rotation(*made, true, now), RotationStep::nothing);
  EXPECT_EQ(next_rotation(*made, false, now), RotationStep::nothing);
}

TEST(Rotation, AServerCertificateIsRenewedWithAThirdOfItsLifetimeLeft) {
  const base::WallTime now{};
  const auto made = first_certificates(policy(), now);
  EXPECT_EQ(next_rotation(*made, true, now + 59 * kDay), RotationStep::nothing);
  EXPECT_EQ(next_rotation(*made, true, now + 61 * kDay), RotationStep::new_server);
}

TEST(Rotation, ANewAuthoritySignsOnlyAfterItsPublication) {
  const base::WallTime start{};
  const base::WallTime late = start + 201 * kDay;
  auto held = *first_certificates(policy(), start);
  held = *rotated(held, RotationStep::new_server, policy(), late - kDay);
  ASSERT_EQ(next_rotation(held, true, late), RotationStep::new_authority);
  const auto both = *rotated(held, RotationStep::new_authority, policy(), late);
  EXPECT_EQ(both.server.certificate, held.server.certificate);  // still one that clients trust
  EXPECT_EQ(both.bundle, both.authority.certificate + held.authority.certificate);
  EXPECT_EQ(next_rotation(both, false, late), RotationStep::nothing);
  ASSERT_EQ(next_rotation(both, true, late), RotationStep::new_server);
  const auto after = *rotated(both, RotationStep::new_server, policy(), late);
  EXPECT_TRUE(*net::is_signed_by(after.server.certificate, after.authority.certificate));
  EXPECT_EQ(next_rotation(after, true, late), RotationStep::nothing);
}

TEST(CaBundle, IsPatchedIntoEveryWebhookWithAnotherBundle) {
  const json::Value configuration =
      *json::parse(R"({"metadata":{"resourceVersion":"7"},"webhooks":[{"clientConfig":{}},)"
                   R"({"clientConfig":{"caBundle":"cGVt"}}]})");
  const auto patch = ca_bundle_patch(configuration, "pem");
  ASSERT_TRUE(patch.has_value());
  EXPECT_EQ(json::Value(*patch).dump(),
            R"([{"op":"test","path":"/metadata/resourceVersion","value":"7"},)"
            R"({"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":"cGVt"}])");
  const json::Value conversion =
      *json::parse(R"({"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"cGVt"}}}}})");
  EXPECT_FALSE(ca_bundle_patch(conversion, "pem").has_value());
  EXPECT_TRUE(ca_bundle_patch(conversion, "other").has_value());
}

struct KeeperTest : ::testing::Test {
  KeeperTest() {
    world.server.add_collection({"admissionregistration.k8s.io",
                                 "v1",
                                 "validatingwebhookconfigurations",
                                 "ValidatingWebhookConfiguration",
                                 false,
                                 false});
    world.send("POST",
               kHook,
               R"({"metadata":{"name":"hook"},"webhooks":[{"name":"a","clientConfig":{}}]})");
  }
  WebhookCertificates held() {
    return *certificates_in(
        *world.run(Api<Secret>(world.loop, world.client).get({"default", "certs"})));
  }
  std::string trusted() const {
    const json::Value* hook = world.find("validatingwebhookconfigurations", "", "hook");
    const json::Value* bundle = json::find(*hook, {"webhooks", "0", "clientConfig", "caBundle"});
    return bundle == nullptr ? "" : *base::decode_base64(*bundle->as_string());
  }
  // Whether the client trusts the served certificate.
  void expect_trusted() {
    const WebhookCertificates now = held();
    const std::string bundle = trusted();
    const std::size_t second = bundle.find("-----BEGIN", 1);
    const bool by_first = *net::is_signed_by(now.server.certificate, bundle);
    const bool by_second = second != std::string::npos &&
                           *net::is_signed_by(now.server.certificate, bundle.substr(second));
    EXPECT_TRUE(by_first || by_second);
  }

  ModelWorld world;
  CertificateKeeper keeper{
      world.access, {{"default", "certs"}, policy(), {{kValidatingWebhookConfigurations, "hook"}}}};
};

TEST_F(KeeperTest, TheFirstStartCreatesAndPublishes) {
  EXPECT_FALSE(keeper.source()().ok());
  ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
  ASSERT_TRUE(world.run(keeper.follow_once()).ok());
  EXPECT_TRUE(keeper.source()().ok());
  EXPECT_EQ(trusted(), held().bundle);
  // The second start does nothing.
  const std::size_t writes = world.transport.writes();
  ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
  EXPECT_EQ(world.transport.writes(), writes);
}

TEST_F(KeeperTest, OverYearsTheCertificateInUseIsAlwaysTrusted) {
  ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
  const std::string first = held().authority.certificate;
  for (int day = 0; day < 700; day += 5) {
    world.pass(5 * kDay);
    ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
    expect_trusted();
    EXPECT_GT(net::validity_of(held().server.certificate)->until, world.clock.wall());
  }
  EXPECT_NE(held().authority.certificate, first);
}

TEST_F(KeeperTest, TheServerUsesARenewedCertificate) {
  ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
  ASSERT_TRUE(world.run(keeper.follow_once()).ok());
  const auto in_use = *keeper.source()();
  const auto before = in_use->context();
  world.pass(65 * kDay);
  ASSERT_TRUE(world.run(keeper.maintain_once()).ok());
  ASSERT_TRUE(world.run(keeper.follow_once()).ok());
  EXPECT_NE(in_use->context(), before);
}

TEST(AdmissionHandler, AnswersOnItsPathsAndRejectsOthers) {
  net::testing::VirtualWorld world;
  const auto handler =
      admission_handler({{"/validate", [](AdmissionRequest request) -> net::Task<AdmissionVerdict> {
                            if (request.name == "bad")
                              co_return denied(422, "spec.size: too large; write 5");
                            co_return allowed();
                          }}});
  const auto ask = [&](std::string method, std::string path, std::string body) {
    auto answer = world.run(handler({std::move(method), std::move(path), std::move(body)}));
    return std::pair(answer.response.status, answer.response.body);
  };
  const auto review = [](std::string_view name) {
    return fmt::format(
        R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"u",)"
        R"("operation":"CREATE","resource":{{"group":"example.com","version":"v1",)"
        R"("resource":"widgets"}},"name":"{}","object":{{}}}}}})",
        name);
  };
  EXPECT_EQ(ask("POST", "/nowhere", "").first, 404);
  EXPECT_EQ(ask("GET", "/validate", "").first, 405);
  EXPECT_EQ(ask("POST", "/validate", "{}").first, 400);
  EXPECT_THAT(ask("POST", "/validate?timeout=10s", review("good")).second,
              ::testing::HasSubstr(R"("uid":"u","allowed":true)"));
  EXPECT_THAT(ask("POST", "/validate", review("bad")).second,
              ::testing::HasSubstr(R"("message":"spec.size: too large; write 5")"));
}

}  // namespace
}  // namespace kube::inline ca
