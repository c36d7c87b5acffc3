// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"

#include <string>
#include <string_view>
#include <vector>

namespace slurmop::secrets {

enum class SshKeyType { ed25519, ecdsa_p521, rsa_3072 };

// A key pair as the two files that ssh-keygen writes.
struct SshKeyPair {
  std::string name;  // of the private file: "ssh_host_ed25519_key"; the other one has ".pub"
  base::Secret private_key;  // openssh-key-v1, not encrypted
  std::string public_key;    // one line: "ssh-ed25519 AAAA... comment"
};

// Kind::invalid if the comment has control characters; Kind::internal if the key cannot be made.
base::Result<SshKeyPair> make_ssh_key(SshKeyType type, std::string_view comment);

// One key of each type. The RSA key takes up to a second of CPU time.
base::Result<std::vector<SshKeyPair>> make_ssh_host_keys(std::string_view comment);

}  // namespace slurmop::secrets
