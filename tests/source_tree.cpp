// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

std::string in_source_tree(std::string_view path) {
  return std::string(SB_SOURCE "/").append(path);
}
