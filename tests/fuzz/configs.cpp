// SPDX-License-Identifier: Apache-2.0
// Files that users write: kubeconfig and the bridge's configuration.
#include "bridge/config/config.h"
#include "fuzz/check.h"
#include "kube/auth/kubeconfig.h"

#include <array>

namespace {

using fuzz::check;

void kubeconfig(const std::string& text) {
  const auto config = kube::parse_kubeconfig({{"/nonexistent/config", text}});
  if (!config.ok()) {
    check(!config.error().message().empty(), "an error has a message");
    return;
  }
  check(!config->server.empty(), "a cluster has a server");
}

void bridge_config(const std::string& text) {
  const auto config = bridge::config::parse_config(text);
  if (!config.ok()) {
    check(!config.error().message().empty(), "an error has a message");
    return;
  }
  check(!config->schedulerName.empty(), "a bridge has a name");
}

constexpr std::array kReaders = {kubeconfig, bridge_config};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto read = input.one_of(kReaders);
  // A path of this machine would make the result depend on the machine.
  if (input.rest().find("/dev") != std::string_view::npos) return -1;
  read(std::string(input.rest()));
  return 0;
}
