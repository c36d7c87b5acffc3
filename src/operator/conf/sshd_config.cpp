// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/sshd_config.h"

#include "base/quote.h"
#include "operator/conf/key_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;
using base::Result;

Result<void> check_path_of(std::string_view keyword, std::string_view path) {
  const KeySpec spec{.name = keyword, .form = Form::path};
  auto checked = check(spec, path);
  if (!checked.ok()) return std::move(checked).error().in(keyword);
  return {};
}

// Relative to the home directory, as sshd allows for AuthorizedKeysFile only.
Result<void> check_keys_file(std::string_view path) {
  if (path.starts_with('/')) return check_path_of("AuthorizedKeysFile", path);
  return check_path_of("AuthorizedKeysFile", fmt::format("/{}", path));
}

Result<void> check_pattern(std::string_view name) {
  const bool good = !name.empty() && name.size() <= 128 && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '*' || c == '?';
  });
  if (good) return {};
  return Error(Kind::invalid,
               fmt::format("AcceptEnv: {} is not a name of a variable", base::quoted(name)));
}

Result<void> check_input(const SshdConfig& input) {
  if (input.port == 0) return Error(Kind::invalid, "Port: 0 is not a port");
  if (input.host_keys.empty()) return Error(Kind::invalid, "HostKey: there is none");
  if (input.authorized_keys_files.empty()) {
    return Error(Kind::invalid,
                 "AuthorizedKeysFile: the list is empty, so no user could log in; name a file");
  }
  for (const std::string& path : input.host_keys) TRY_VOID(check_path_of("HostKey", path));
  for (const std::string& path : input.authorized_keys_files) TRY_VOID(check_keys_file(path));
  for (const std::string& name : input.accept_environment) TRY_VOID(check_pattern(name));
  return {};
}

}  // namespace

Result<File> render_sshd_config(const SshdConfig& input) {
  if (auto checked = check_input(input); !checked.ok()) {
    return std::move(checked).error().in("sshd_config");
  }
  std::string text = "# Written by slurm-operator; change the SlurmCluster resource instead\n";
  const auto add = [&text](std::string_view keyword, std::string_view value) {
    text.append(keyword).append(" ").append(value).append("\n");
  };
  add("Port", std::to_string(input.port));
  for (const std::string& path : input.host_keys) add("HostKey", path);
  add("PermitRootLogin", input.permit_root ? "prohibit-password" : "no");
  add("PubkeyAuthentication", "yes");
  add("PasswordAuthentication", "no");
  add("KbdInteractiveAuthentication", "no");
  add("AuthorizedKeysFile", fmt::format("{}", fmt::join(input.authorized_keys_files, " ")));
  // Mounted key files belong to root and lie in a folder that kubelet made.
  add("StrictModes", "no");
  add("UsePAM", "no");
  if (!input.accept_environment.empty()) {
    add("AcceptEnv", fmt::format("{}", fmt::join(input.accept_environment, " ")));
  }
  add("SetEnv", "PATH=/usr/local/bin:/usr/bin:/bin");
  add("X11Forwarding", "no");
  add("AllowTcpForwarding", "yes");
  add("ClientAliveInterval", "60");
  add("ClientAliveCountMax", "5");
  add("Subsystem", "sftp internal-sftp");
  add("PidFile", "none");
  return File::plain("sshd_config", std::move(text));
}

}  // namespace slurmop::conf
