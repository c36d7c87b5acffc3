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

// What is said to an exec plugin (client.authentication.k8s.io) and what it answers, without I/O.
namespace kube::inline auth {

// `user.exec` of a kubeconfig.
struct ExecSpec {
  std::string api_version{};
  std::string command{};
  std::vector<std::string> args{};
  std::vector<std::string> environment{};  // "NAME=value", beside our own
  std::string install_hint{};
  json::Object cluster{};  // for the plugin, if it wants to know; else empty
};

inline constexpr std::string_view kExecV1 = "client.authentication.k8s.io/v1";
inline constexpr std::string_view kExecV1Beta1 = "client.authentication.k8s.io/v1beta1";

// Who we are, according to the plugin: a token, a client certificate, or both.
struct ExecCredential {
  std::optional<base::Secret> token;
  std::string certificate_pem;
  base::Secret key_pem;
  std::optional<base::WallTime> expires;  // none: valid until refused
};

// The value of KUBERNETES_EXEC_INFO. A daemon has no terminal to ask anybody anything.
std::string exec_info(const ExecSpec& spec);

// Kind::unauthorized, with the field to look at, for anything but a complete answer in the version
// that was asked for. Nothing of the answer gets into a message: it is secret.
base::Result<ExecCredential> parse_exec_credential(const ExecSpec& spec, std::string_view output);

}  // namespace kube::inline auth
