// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "base/secret.h"
#include "kube/api/config_map.h"
#include "kube/client/access.h"
#include "kube/client/api.h"
#include "operator/parts/parts.h"
#include "operator/process/pass_outcome.h"

#include <map>
#include <string>
#include <vector>

namespace slurmop::process {

// The content of a Secret, by key. Each call returns another one.
base::Result<std::map<std::string, base::Secret>> secret_content(const parts::SecretOrder& order);

// Creates Secrets.
//
// Guarantees  an existing Secret is neither changed nor read; no content is in a message.
class SecretWriter {
 public:
  explicit SecretWriter(const kube::Access& access) : api_(access) {}

  net::Task<base::Result<void>> create(const std::vector<parts::SecretOrder>& orders,
                                       PassOutcome& outcome);

 private:
  net::Task<base::Result<void>> create_one(const parts::SecretOrder& order);

  kube::Api<kube::Secret> api_;
};

}  // namespace slurmop::process
