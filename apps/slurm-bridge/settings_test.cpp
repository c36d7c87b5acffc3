// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace app {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct CommandLine : ::testing::Test {
  CommandLine() {
    std::ofstream(config) << "slurmRestApi: http://127.0.0.1:6820\n";
    ::setenv("SLURM_JWT", "token", 1);
    for (const char* name : {"SLURM_JWT_FILE", "SLURM_REST_API", "KUBECONFIG"}) ::unsetenv(name);
  }

  Command read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"slurm-bridge"});
    arguments.push_back("--config=" + config);
    std::vector<const char*> argv;
    for (const std::string& one : arguments) argv.push_back(one.c_str());
    return read_command_line(static_cast<int>(argv.size()), argv.data());
  }

  std::string config = ::testing::TempDir() + "slurm-bridge-settings-test.yaml";
};

TEST_F(CommandLine, TheAddressesAreThoseOfTheReferenceUnlessToldOtherwise) {
  const Command plain = read({"controllers"});
  ASSERT_TRUE(plain.run) << plain.print;
  EXPECT_EQ(plain.settings.observed.metrics_address, ":8080");
  EXPECT_EQ(plain.settings.observed.probe_address, ":8081");
  EXPECT_FALSE(plain.settings.observed.metrics_secure);
  EXPECT_THAT(plain.settings.warnings, IsEmpty());

  const Command told = read({"scheduler",
                             "-metrics-bind-address",
                             "0",
                             "--health-probe-bind-address=127.0.0.1:9000",
                             "--metrics-secure",
                             "--metrics-cert-path=/certs"});
  ASSERT_TRUE(told.run) << told.print;
  EXPECT_EQ(told.settings.observed.metrics_address, "0");
  EXPECT_EQ(told.settings.observed.probe_address, "127.0.0.1:9000");
  EXPECT_TRUE(told.settings.observed.metrics_secure);
  EXPECT_EQ(told.settings.observed.metrics_cert_path, "/certs");
}

TEST_F(CommandLine, SecureMetricsWithoutACertificateAreRefusedWithTheRemedy) {
  const Command command = read({"all", "--metrics-secure"});
  EXPECT_FALSE(command.run);
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.print, AllOf(HasSubstr("--metrics-cert-path"), HasSubstr("tls.key")));
}

TEST_F(CommandLine, Http2IsAcceptedWithAWarning) {
  const Command asked = read({"all", "--enable-http2=true"});
  ASSERT_TRUE(asked.run) << asked.print;
  EXPECT_THAT(asked.settings.warnings, Contains(HasSubstr("--enable-http2")));
  const Command refused = read({"all", "--enable-http2=false"});
  ASSERT_TRUE(refused.run) << refused.print;
  EXPECT_THAT(refused.settings.warnings, IsEmpty());
}

TEST_F(CommandLine, AnUnknownFlagIsRefusedWithTheNearestOne) {
  const Command command = read({"all", "--metrics-bind-adress=:1"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.print, HasSubstr("metrics-bind-address"));
}

}  // namespace
}  // namespace app
