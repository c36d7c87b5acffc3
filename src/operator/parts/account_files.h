// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/settle/cluster.h"

#include <map>
#include <string>

// The users of a cluster as files. They are mounted as folders, so that a user who is added later is
// known in all pods without a restart.
namespace slurmop::parts {

using FilesByName = std::map<std::string, std::string>;

// passwd and group for libnss-extrausers, and `uids`: all uids that were ever assigned.
//
// Errors      invalid  a user name that would end its field or line.
base::Result<FilesByName> account_files(const settle::Cluster& cluster);

// The authorized_keys of each user who has public keys, by user name. The keys of
// spec.slurmNodes.login.sshRootPublicKeys are those of `root` and of `soperator`.
//
// Errors      invalid  a user name as above, or a key that is more than one line.
base::Result<FilesByName> ssh_key_files(const settle::Cluster& cluster);

}  // namespace slurmop::parts
