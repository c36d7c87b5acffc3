// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/secrets/ssh_host_keys.h"
#include "operator/secrets/ssh_wire.h"

#include <string_view>

namespace slurmop::secrets {

// The two encodings of a generated key, without comment and container.
struct SshKeyParts {
  SshWriter public_blob;  // what follows the type in a .pub line, before base64
  SshWriter private_fields;
};

// "ssh-ed25519"
std::string_view ssh_name(SshKeyType type);

// Generates a key with OpenSSL. Kind::internal, with the type, if that fails.
base::Result<SshKeyParts> generate_ssh_key(SshKeyType type);

}  // namespace slurmop::secrets
