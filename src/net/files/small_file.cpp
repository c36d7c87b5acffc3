// SPDX-License-Identifier: Apache-2.0
#include "net/files/small_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace net::inline files {

base::Result<std::string> read_small_file(const std::string& path, std::size_t most) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (in) {
    text.resize(most + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
  }
  if (!in && !in.eof()) {  // a folder can be opened but not read
    return base::Error(base::Kind::invalid, "cannot read " + path + ": " + std::strerror(errno));
  }
  if (text.size() > most)
    return base::Error(base::Kind::invalid, fmt::format("{} is larger than {} bytes", path, most));
  return text;
}

}  // namespace net::inline files
