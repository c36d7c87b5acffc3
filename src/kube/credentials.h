// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

#include <optional>
#include <string>

namespace kube {

// The bearer token for the API server, if one is used at all. A token in a file is rotated by the
// kubelet under our feet, so it is read again at most every ten seconds.
class Credentials {
 public:
  // No token: the client certificate, if any, says who we are.
  Credentials() = default;
  static Credentials fixed(base::Secret token);
  static Credentials from_file(std::string path, const base::Clock& clock);

  // Empty if no token is used.
  base::Result<std::optional<base::Secret>> token();

 private:
  std::optional<base::Secret> token_;
  std::string path_;
  const base::Clock* clock_ = nullptr;
  base::Instant read_at_ = base::Instant::min();
};

}  // namespace kube
