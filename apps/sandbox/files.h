// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace sandbox {

struct Ports {
  std::uint16_t kube = 0;
  std::uint16_t slurm = 0;
};

// Writes into the folder what clients need: slurm-bridge.yaml, slurm.jwt, env (for a shell) and,
// last and at once, kubeconfig; who sees that one can begin. Kind::invalid with the path otherwise.
base::Result<void> write_files(const std::string& folder, Ports ports);

// So that nobody takes an earlier sandbox's for this one's.
void forget_files(const std::string& folder);

}  // namespace sandbox
