// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/log_tail.h"

#include <algorithm>
#include <fstream>

namespace slurmop::agent {

std::string log_tail(const std::string& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = std::max<std::streamoff>(in.tellg(), 0);
  const auto wanted = std::min<std::streamoff>(size, static_cast<std::streamoff>(most));
  in.seekg(size - wanted);
  std::string text(static_cast<std::size_t>(wanted), '\0');
  in.read(text.data(), wanted);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

}  // namespace slurmop::agent
