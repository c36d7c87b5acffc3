// SPDX-License-Identifier: Apache-2.0
#include "webhook_settings.h"

#include "settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace app {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

WebhookSettings parsed(const std::vector<std::string_view>& arguments) {
  WebhookSettings webhook;
  base::Flags flags("test", "");
  add_webhook_flags(flags, webhook);
  EXPECT_TRUE(flags.parse(arguments).ok());
  return webhook;
}

TEST(WebhookFlags, DefaultsAreTheReferences) {
  const auto options = webhook_options(parsed({}));
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->address.host, "");
  EXPECT_EQ(options->address.port, 9443);
  EXPECT_EQ(options->certificates, "/tmp/k8s-webhook-server/serving-certs");
}

TEST(WebhookFlags, AnAddressFlagEnablesIt) {
  WebhookSettings nowhere;
  nowhere.certificates = "/no/such/folder";
  EXPECT_FALSE(has_webhook(nowhere));
  EXPECT_TRUE(has_webhook(parsed({"--webhook-port=1234"})));
  EXPECT_TRUE(has_webhook(parsed({"--webhook-cert-path=/no/such/folder"})));
  EXPECT_FALSE(parsed({"--bridge-user=x"}).asked) << "the flag names a user, not an address";
  nowhere.certificates = ::testing::TempDir();
  EXPECT_TRUE(has_webhook(nowhere)) << "a certificate was mounted";
}

TEST(WebhookFlags, AddressesOfAnyKind) {
  EXPECT_EQ(webhook_options(parsed({"--webhook-bind-address=127.0.0.1", "--webhook-port=0"}))
                ->address.to_string(),
            "127.0.0.1:0");
  EXPECT_EQ(webhook_options(parsed({"--webhook-bind-address=::1"}))->address.to_string(),
            "[::1]:9443");
  const auto nonsense = webhook_options(parsed({"--webhook-bind-address=every where"}));
  ASSERT_FALSE(nonsense.ok());
  EXPECT_THAT(nonsense.error().message(), HasSubstr("--webhook-bind-address"));
}

TEST(WebhookFlags, APortOutOfRangeIsRefused) {
  WebhookSettings webhook;
  base::Flags flags("test", "");
  add_webhook_flags(flags, webhook);
  const std::vector<std::string_view> arguments{"--webhook-port=65536"};
  EXPECT_FALSE(flags.parse(arguments).ok());
}

TEST(WebhookFlags, ManagedNamespacesAreTheConfigurations) {
  bridge::config::Config config;
  config.schedulerName = "s";
  config.managedNamespaces = {"a"};
  config.managedNamespaceSelector = kube::LabelSelector{};
  config.daemonSetNamespaces = {"monitoring"};
  const auto options = admission_options(parsed({"--bridge-user=x", "--bridge-user", "y"}), config);
  EXPECT_EQ(options.scheduler_name, "s");
  EXPECT_EQ(options.managed.names, config.managedNamespaces);
  EXPECT_TRUE(options.managed.selector);
  EXPECT_EQ(options.managed.daemon_set_namespaces, config.daemonSetNamespaces);
  EXPECT_THAT(options.bridge_users, UnorderedElementsAre("x", "y"));
}

TEST(AdmissionRole, NeedsNeitherSlurmNorItsToken) {
  const std::string config =
      ::testing::TempDir() + fmt::format("slurm-bridge-webhook-test-{}.yaml", ::getpid());
  std::ofstream(config) << "managedNamespaces: [a]\n";
  for (const char* name : {"SLURM_JWT", "SLURM_JWT_FILE", "SLURM_REST_API"}) ::unsetenv(name);
  const std::string flag = "--config=" + config;
  const char* arguments[] = {"slurm-bridge", "admission", flag.c_str(), "--webhook-port=1"};
  const Command command = read_command_line(4, arguments);
  ASSERT_TRUE(command.run) << command.print;
  EXPECT_EQ(command.settings.role, Role::admission);
  EXPECT_EQ(command.settings.webhook.port, 1);
}

}  // namespace
}  // namespace app
