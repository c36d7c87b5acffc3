// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/async/loop.h"
#include "operator/agent/commands.h"
#include "operator/agent/slurm.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace slurmop::agent {

struct SlurmProgramsOptions {
  Programs programs = {};
  std::string work_folder = "/tmp";  // a folder of its own is created in it
  std::string active_folder;         // the folder that slurmctld reads
  std::string host;                  // name of this machine
  base::Duration parser_limit = std::chrono::seconds(10);
  base::Duration slurmctld_limit = std::chrono::seconds(30);
  base::Duration reconfigure_limit = std::chrono::seconds(30);
};

// Slurm by its programs, which are those of the image of the cluster.
//
// Expects     root, or the user SlurmUser; the keys that the configuration names.
// Guarantees  a check has two stages: Slurm's parser, then a throw-away slurmctld that must become
//             ready. All files of a check are in the own folder and are removed; every process that
//             was started is ended with this object.
class SlurmPrograms final : public Slurm {
 public:
  // Kind::unavailable if the work folder cannot be used.
  static base::Result<std::unique_ptr<SlurmPrograms>> make(net::Loop& loop,
                                                           SlurmProgramsOptions options);
  ~SlurmPrograms() override;

  net::Task<Verdict> check(Configuration configuration) override;
  net::Task<Readiness> readiness(Configuration active) override;
  net::Task<base::Result<void>> reconfigure(Configuration active) override;

 private:
  SlurmPrograms(net::Loop& loop, SlurmProgramsOptions options, std::string folder);

  net::Task<Verdict> parse(const Configuration& configuration, std::string folder);
  net::Task<Verdict> start_slurmctld(const Configuration& configuration, std::string folder);
  base::Result<std::uint16_t> write_throw_away(const Configuration& configuration,
                                               const std::string& folder);
  ProgramPlace place(const std::string& folder,
                     const std::string& log,
                     base::Duration at_most) const;

  net::Loop& loop_;
  SlurmProgramsOptions options_;
  std::string folder_;
};

}  // namespace slurmop::agent
