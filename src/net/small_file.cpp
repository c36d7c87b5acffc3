// SPDX-License-Identifier: Apache-2.0
#include "net/small_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace net {

base::Result<std::string> read_small_file(const std::string& path) {
  constexpr std::size_t kLimit = 1UL << 20U;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return base::Error(base::Kind::invalid, "cannot read " + path + ": " + std::strerror(errno));
  }
  std::string text(kLimit + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLimit) return base::Error(base::Kind::invalid, path + " is larger than 1 MiB");
  return text;
}

}  // namespace net
