// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Input and answer of an exec plugin (client.authentication.k8s.io), without I/O.
namespace kube::inline auth {

// `user.exec` of a kubeconfig.
struct ExecSpec {
  std::string api_version{};
  std::string command{};
  std::vector<std::string> args{};
  std::vector<std::string> environment{};  // "NAME=value", in addition to those of this process
  std::string install_hint{};
  json::Object cluster{};  // for a plugin with provideClusterInfo; else empty
};

inline constexpr std::string_view kExecV1 = "client.authentication.k8s.io/v1";
inline constexpr std::string_view kExecV1Beta1 = "client.authentication.k8s.io/v1beta1";

// The credentials of a plugin: a token, a client certificate, or both.
struct ExecCredential {
  std::optional<base::Secret> token;
  std::string certificate_pem;
  base::Secret key_pem;
  std::optional<base::WallTime> expires;  // none: valid until the server rejects it
};

// The value of KUBERNETES_EXEC_INFO. A daemon has no terminal for interactive questions.
std::string exec_info(const ExecSpec& spec);

// Kind::unauthorized, with the field, for anything but a complete answer in the requested version.
// Messages contain nothing of the answer, because it is secret.
base::Result<ExecCredential> parse_exec_credential(const ExecSpec& spec, std::string_view output);

}  // namespace kube::inline auth
