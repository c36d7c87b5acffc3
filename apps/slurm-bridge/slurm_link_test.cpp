// SPDX-License-Identifier: Apache-2.0
#include "slurm_link.h"

#include "diagnostics_server.h"
#include "net/testing/loop.h"
#include "net/transport/self_signed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace app {
namespace {

using net::http::Request;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

bridge::config::Config to(std::string address, std::string ca_file = "") {
  bridge::config::Config config;
  config.slurmRestApi = std::move(address);
  config.slurmRestApiCaFile = std::move(ca_file);
  return config;
}

// A server whose certificate is signed only by the authority in its own file.
struct SlurmLink : ::testing::Test {
  SlurmLink() {
    std::filesystem::create_directories(folder);
    const auto pair = net::self_signed("localhost");
    EXPECT_TRUE(pair.ok());
    write("tls.crt", pair->certificate);
    write("tls.key", pair->key.reveal());
    DiagnosticsSettings diagnostics;
    diagnostics.metrics_address = "127.0.0.1:0";
    diagnostics.probe_address = "0";
    diagnostics.metrics_secure = true;
    diagnostics.metrics_cert_path = folder;
    EXPECT_TRUE(server.listen(diagnostics).ok());
    const auto at = line.find("\"port\":") + 7;
    address = "https://localhost:" + line.substr(at, line.find_first_not_of("0123456789", at) - at);
    running.spawn("server", server.run());
  }
  ~SlurmLink() override {
    running.cancel();
    world.run(running.join());
    std::filesystem::remove_all(folder);
  }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  std::string get(const std::string& ca_file) {
    auto link = slurm_transport(world.loop, to(address, ca_file), {"test", {}});
    if (!link.ok()) return link.error().message();
    const auto answer = world.run((*link)->send(Request("GET", "/metrics"), world.loop.in(10s)));
    return answer.ok() ? std::to_string(answer->status) : answer.error().to_string();
  }

  const std::string folder = ::testing::TempDir() + fmt::format("slurm-link-{}", ::getpid());
  net::testing::RealWorld world;
  std::string line;  // that names the port
  base::Log log{[this](std::string_view text) { line = text; }, world.clock, base::LogFormat::json};
  DiagnosticsServer server{world.loop, log};
  std::string address;
  net::TaskGroup running{world.loop};
};

TEST_F(SlurmLink, AServerIsTrustedIfTheFileVouchesForItAndOnlyThen) {
  EXPECT_EQ(get(folder + "/tls.crt"), "200");
  EXPECT_THAT(get(""), HasSubstr("unreachable")) << "the system's authorities do not know it";
  const std::string other = write("other.crt", net::self_signed("localhost")->certificate);
  EXPECT_THAT(get(other), HasSubstr("unreachable"));
}

TEST_F(SlurmLink, AFileThatCannotBeUsedIsAnErrorThatNamesKeyAndFile) {
  for (const std::string& file :
       {folder + "/nowhere", write("empty.crt", ""), write("text.crt", "not a certificate\n")})
    EXPECT_THAT(get(file), AllOf(HasSubstr("slurmRestApiCaFile"), HasSubstr(file)));
}

TEST(RemarksOnSlurmLink, ATokenInClearTextOverANetworkIsWarnedOf) {
  EXPECT_THAT(remarks_on_slurm_link(to("http://slurm-restapi.slurm:6820")),
              ElementsAre(AllOf(HasSubstr("http://slurm-restapi.slurm:6820 is plain http"),
                                HasSubstr("token"))));
  EXPECT_THAT(remarks_on_slurm_link(to("http://10.0.0.7:6820")),
              ElementsAre(HasSubstr("plain http")));
  for (const char* fine : {"http://127.0.0.1:6820",
                           "http://localhost:6820",
                           "http://[::1]:6820",
                           "https://slurm-restapi.slurm:6820"})
    EXPECT_THAT(remarks_on_slurm_link(to(fine)), IsEmpty()) << fine;
}

TEST(RemarksOnSlurmLink, AnAuthorityForPlainHttpHasNoEffect) {
  EXPECT_THAT(remarks_on_slurm_link(to("http://127.0.0.1:6820", "/ca.crt")),
              ElementsAre(HasSubstr("slurmRestApiCaFile has no effect")));
}

}  // namespace
}  // namespace app
