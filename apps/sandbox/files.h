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

// Writes the files that clients need into the folder: slurm-bridge.yaml, slurm.jwt, env (for a
// shell) and, last and atomically, kubeconfig: its existence means that the sandbox is ready.
// Kind::invalid with the path if a file cannot be written.
base::Result<void> write_files(const std::string& folder, Ports ports);

// Removes the files of an earlier sandbox, so that they are not mistaken for those of this one.
void forget_files(const std::string& folder);

}  // namespace sandbox
