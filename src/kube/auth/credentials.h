// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "kube/auth/exec_plugin.h"
#include "net/async/task.h"
#include "net/files/token_file.h"

#include <memory>
#include <optional>
#include <string>

namespace kube::inline auth {

// Credentials for the API server: none (or only a client certificate), a fixed token, a token file
// that is rotated, or an exec plugin.
class Credentials {
 public:
  Credentials() = default;
  static Credentials fixed(base::Secret token);
  static Credentials from_file(std::string path, const base::Clock& clock);
  static Credentials from_plugin(net::Loop& loop, ExecSpec spec);

  // The bearer token; empty if none is used.
  net::Task<base::Result<std::optional<base::Secret>>> token(base::Instant deadline);
  // The server answered 401: read the credentials again before the next use.
  void refused();

  // Shared with the transport, which uses its client certificate; null if there is none.
  const std::shared_ptr<ExecPlugin>& plugin() const { return plugin_; }

 private:
  std::optional<base::Secret> fixed_;
  std::optional<net::TokenFile> file_;
  std::shared_ptr<ExecPlugin> plugin_;
};

}  // namespace kube::inline auth
