// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace slurmop::conf {

// For tests only: texts that no field of a rendered file may accept.
inline std::vector<std::string> hostile_values() {
  return {"a\nSlurmUser=root",
          "a\r\nSlurmUser=root",
          std::string("a\0b", 3),
          "a SlurmUser=root",
          "a\tSlurmUser=root",
          "a # comment",
          "a#",
          "a\\",
          "\"a\"",
          "a\" SlurmUser=\"root",
          "\x1B[31m",
          "\xE2\x80\xA8",
          "\xFF"};
}

}  // namespace slurmop::conf
