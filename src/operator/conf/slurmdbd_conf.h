// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "operator/conf/draft.h"
#include "operator/conf/file.h"
#include "operator/conf/slurm_conf.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace slurmop::conf {

// The database accepts the connection without a password.
struct NoPassword {};
// slurmdbd runs this program, which prints `TOKEN=` and the password: the file itself contains
// none (tried with 26.05.5 up to the connection).
struct PasswordProgram {
  std::string path;
};
// The password itself, from a Secret. `version` is the Secret's resourceVersion.
struct StoredPassword {
  base::Secret password;
  std::string version;
};
using DatabasePassword = std::variant<NoPassword, PasswordProgram, StoredPassword>;

// The operator's own MariaDB or an external database.
struct Database {
  std::string host;
  std::uint16_t port = 3306;
  std::string user = "slurm";
  std::string name = "slurm_acct_db";
  DatabasePassword password = NoPassword{};
};

struct SlurmdbdConf {
  std::string host;  // the host name of the pod
  std::uint16_t port = 6819;
  std::string slurm_user = "slurm";
  AuthMode auth = AuthMode::slurm;
  std::string jwt_key = "/etc/slurm-keys/jwt.key";
  std::string munge_socket = {};
  std::string pid_file = "/run/slurmdbd/slurmdbd.pid";
  Database database;
  std::vector<Setting> settings = {};  // Archive*, Purge*, DebugLevel, StorageParameters, ...
};

// Renders slurmdbd.conf. slurmdbd requires mode 0600 and SlurmUser as owner, so the file is copied
// at start and not mounted.
//
// Guarantees  the file is secret if it contains a password; no error message contains the password.
base::Result<File> render_slurmdbd_conf(const SlurmdbdConf& input);

}  // namespace slurmop::conf
