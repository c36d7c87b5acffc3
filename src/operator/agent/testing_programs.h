// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: scripts in the place of Slurm's programs.

#include "operator/agent/commands.h"
#include "operator/agent/testing_folder.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace slurmop::agent::testing {

// Listens as slurmctld does and is ready at once.
inline constexpr std::string_view kReadySlurmctld = R"(#!/usr/bin/env python3
import http.server, os, re
conf = open(os.environ["SLURM_CONF"]).read()
port = int(re.findall(r"^SlurmctldPort=(\d+)$", conf, re.M)[-1])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204 if self.path == "/readyz" else 404)
        self.end_headers()
    def log_message(self, *arguments):
        pass
http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()
)";

// Accepts every file.
inline constexpr std::string_view kContentScontrol = "#!/bin/sh\nexit 0\n";

class TestPrograms {
 public:
  void scontrol(std::string_view script) const { write("scontrol", script); }
  void slurmctld(std::string_view script) const { write("slurmctld", script); }
  Programs programs() const { return {folder_ / "scontrol", folder_ / "slurmctld", "bash"}; }
  const TestFolder& folder() const { return folder_; }

 private:
  void write(const std::string& name, std::string_view script) const {
    folder_.write(name, script);
    std::filesystem::permissions(folder_ / name, std::filesystem::perms(0755));
  }

  TestFolder folder_;
};

}  // namespace slurmop::agent::testing
