// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/slurm/place.h"
#include "models/slurm/records.h"
#include "models/slurm/text.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace models::slurm {

// How a record is shown: API version and details.
struct JobSeen {
  std::string_view version;  // of the API
  std::string_view cluster;
  bool detail = true;  // false with flags=ALL
  const std::map<std::string, SlurmNode>* nodes = nullptr;
};

// One entry of jobs[].
void write_job(SlurmText& out, const SlurmJob& job, const JobSeen& seen);
// Its base state and its flags: SIGNALING while it is preempted and still runs.
void write_state(SlurmText& out, std::string_view key, const SlurmJob& job);

// nodes[] of /resources/ID.
void write_resources(SlurmText& out,
                     const SlurmJob& job,
                     const std::map<std::string, SlurmNode>& nodes);

// "gpu:a100" and 4 as "gpu:a100:4"; several with commas.
std::string gres_text(const std::map<std::string, std::uint32_t>& gres);
// Indices as Slurm writes them: "0-1,3".
std::string ranges(const std::vector<std::uint32_t>& numbers);
// "128G", "100M"
std::string memory_text(std::uint64_t megabytes);
// "cpu=4,mem=100M,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2"; no nodes: as for one node.
struct Tres {
  std::uint64_t cpus = 0;
  std::uint64_t memory_mb = 0;
  std::uint32_t nodes = 0;
  bool billing = true;
  std::map<std::string, std::uint32_t> gres{};
};
std::string tres_text(const Tres& tres);

}  // namespace models::slurm
