// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace slurmop::conf {

// sshd of the login pods.
struct SshdConfig {
  std::uint16_t port = 22;
  std::vector<std::string> host_keys = {"/run/sshd-host/ssh_host_ed25519_key"};
  // %u is the user; several files are tried in order.
  std::vector<std::string> authorized_keys_files = {"/etc/ssh-keys/%u", ".ssh/authorized_keys"};
  std::vector<std::string> accept_environment = {"LANG", "LC_*"};
  bool permit_root = false;  // with a key only, never with a password
};

// Renders sshd_config: keys only, no passwords, and no PAM (the image has no PAM configuration).
//
// Guarantees  as for Value: no string of the input starts a second keyword or a comment.
base::Result<File> render_sshd_config(const SshdConfig& input);

}  // namespace slurmop::conf
